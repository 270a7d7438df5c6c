import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { newPartner, startForTests, type Partner, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(async () => {
  await payments.stop()
})

const newCustomer = (partner = newPartner()) => payments.newCustomer(partner)
const notFound = { ok: false, code: 'resource_not_found' }

describe('reading an order', () => {
  it('returns the created order, with its QR image inline and its customer', async () => {
    const { partner, customerId } = newCustomer()
    const order = await payments.newOrder(partner, customerId, { network: 'ETH', asset: 'USDC' })
    const outcome = await payments.read(partner, order.id)
    if (!outcome.ok) throw new Error(outcome.code)
    const { qrImage, ...rest } = outcome.value.order
    expect(rest).toEqual(order)
    expect(outcome.value.partner_customer_id).toBe(customerId)
    const png = Buffer.from(qrImage.slice('data:image/png;base64,'.length), 'base64')
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect(await payments.qr(order.id)).toEqual({
      ok: true,
      value: { content_type: 'image/png', content_base64: png.toString('base64') },
    })
  })

  it('returns no QR image for an unknown id', async () => {
    expect(await payments.qr(newId('cryptoOrder'))).toEqual(notFound)
  })
})

describe('cancellation', () => {
  it('emits on both channels for a pending order, and is refused with the states the second time', async () => {
    const { partner, customerId } = newCustomer()
    const order = await payments.newOrder(partner, customerId)
    expect(await payments.cancel(partner, order.id)).toEqual({
      ok: true,
      value: { order: { ...order, status: 'cancelled' } },
    })
    expect(await payments.cancel(partner, order.id)).toEqual({
      ok: false,
      code: 'invalid_state',
      details: [{ from: 'cancelled', to: 'cancelled' }],
    })
    const [, cancelled, ...more] = await payments.eventsOf(order.id)
    expect(more).toEqual([])
    expect(cancelled).toMatchObject({
      name: 'payment.cancelled',
      partners: [{ type: 'payment.cancelled', data: { status: 'cancelled', tx_id: null, received: null } }],
      merchant: { event: 'cancelled', body: { event: 'cancelled', order: { id: order.id } } },
    })
  })

  it('happens once for 16 concurrent calls', async () => {
    const { partner, customerId } = newCustomer()
    const order = await payments.newOrder(partner, customerId)
    const outcomes = await Promise.all(Array.from({ length: 16 }, () => payments.cancel(partner, order.id)))
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1)
    expect(await payments.eventsOf(order.id)).toHaveLength(2)
  })
})

describe('listing', () => {
  const pagesOf = async (partner: Partner, customerId: string, limit: string) => {
    const pages: string[][] = []
    let before: string | null = null
    do {
      const page = await payments.list(partner, customerId, { limit, ...(before !== null && { before }) })
      if (!page.ok) throw new Error(page.code)
      pages.push(page.value.orders.map((order) => order.id))
      before = page.value.next_cursor
    } while (before !== null)
    return pages
  }

  it('shows rows with their fiat amount and the amount to send, and never a QR image', async () => {
    const { partner, customerId } = newCustomer()
    const order = await payments.newOrder(partner, customerId, { amount: 30 })
    const token = await payments.newOrder(partner, customerId, { network: 'ETH', asset: 'USDT', amount: 46 })
    expect(await payments.list(partner, customerId)).toEqual({
      ok: true,
      value: {
        orders: [
          { ...token, totalToSend: '50', networkFees: null, fiatAmount: '46.00' },
          { ...order, totalToSend: '0.00052', networkFees: '0.00002', fiatAmount: '30.00' },
        ],
        next_cursor: null,
      },
    })
  })

  it('returns an empty page for a customer without orders', async () => {
    const { partner, customerId } = newCustomer()
    expect(await payments.list(partner, customerId)).toEqual({
      ok: true,
      value: { orders: [], next_cursor: null },
    })
  })

  it('returns each order once, newest first, through orders with equal and later times', async () => {
    const { partner, customerId } = newCustomer()
    const ids: string[] = []
    for (const advanceMs of [0, 0, 0, 1, 0, 1_000, 0]) {
      payments.clock.advance(advanceMs)
      ids.push((await payments.newOrder(partner, customerId)).id)
    }
    const moments = [ids.slice(0, 3), ids.slice(3, 5), ids.slice(5)]
    const newestFirst = moments.toReversed().flatMap((ids) => ids.toSorted().toReversed())
    const pages = await pagesOf(partner, customerId, '3')
    expect(pages.flat()).toEqual(newestFirst)
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
  })

  it('returns a cursor for a full page even when nothing follows, and the next page is empty', async () => {
    const { partner, customerId } = newCustomer()
    await payments.newOrder(partner, customerId)
    expect((await pagesOf(partner, customerId, '1')).map((page) => page.length)).toEqual([1, 0])
  })

  it.each([
    ['0', 1],
    ['-5', 1],
    ['x', 25],
    ['1000', 27],
  ])('clamps a limit of %s', async (limit, length) => {
    const { partner, customerId } = newCustomer()
    await Promise.all(Array.from({ length: 27 }, () => payments.newOrder(partner, customerId)))
    const page = await payments.list(partner, customerId, { limit })
    expect(page.ok && page.value.orders).toHaveLength(length)
  })

  it("refuses a cursor that this list did not issue: another list's, a changed one, an invented one", async () => {
    const partner = newPartner()
    const [one, other] = [newCustomer(partner), newCustomer(partner)]
    await payments.newOrder(partner, one.customerId)
    await payments.newOrder(partner, other.customerId)
    const page = await payments.list(partner, one.customerId, { limit: '1' })
    const cursor = (page.ok && page.value.next_cursor) || ''
    const changed = `${cursor.slice(0, -2)}${cursor.endsWith('AA') ? 'BB' : 'AA'}`
    const invalid = { ok: false, code: 'invalid_cursor' }
    expect(await payments.list(partner, one.customerId, { before: cursor })).toMatchObject({ ok: true })
    expect(await payments.list(partner, other.customerId, { before: cursor })).toEqual(invalid)
    expect(await payments.list(partner, one.customerId, { before: changed })).toEqual(invalid)
    expect(await payments.list(partner, one.customerId, { before: '' })).toEqual(invalid)
    expect(await payments.list(partner, one.customerId, { before: 'eyJhIjoxfQ' })).toEqual(invalid)
  })
})
