import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { call, newId } from '@causeway/chassis'
import { eventually, TEST_DEADLINE_MS } from '@causeway/chassis/testing'
import { cryptoOrders, latePayments, onrampHolds, orders, type LatePayment } from '@causeway/contracts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

const HOUR_MS = 3_600_000
let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(async () => {
  await payments.stop()
})

const operator = { kind: 'operator' as const, actor: 'test' }
const list = (query: { limit?: string; cursor?: string } = {}) =>
  payments.ask(latePayments.list, operator, { query })
const pageOf = async (query: { limit?: string; cursor?: string } = {}) => {
  const outcome = await list(query)
  if (!outcome.ok) throw new Error(`Not listed: ${outcome.code}`)
  return outcome.value
}
const lateOf = async (orderId: string): Promise<LatePayment[]> =>
  (await pageOf({ limit: '100' })).late_payments.filter((late) => late.order_id === orderId)
const isLate = (orderId: string, count: number) =>
  eventually(async () => {
    const found = await lateOf(orderId)
    return found.length === count && found
  })
const factsOf = async (orderId: string) =>
  (await payments.events()).flatMap(({ name, partners, merchant, fact }) =>
    fact?.kind === 'late_payment' && fact.late_payment.order_id === orderId
      ? [{ name, partners, merchant, late: fact.late_payment }]
      : [],
  )

const newOrder = async () => {
  const { partner, customerId } = payments.newCustomer()
  const order = await payments.newOrder(partner, customerId, { amount: 30 })
  return { partner, customerId, order }
}
/** Creates an order that is cancelled by the hard cap of its onramp order. */
const cappedOrder = async () => {
  const made = await newOrder()
  const onrampOrderId = newId('onrampOrder')
  const held = {
    partner_id: made.partner.partnerId,
    order_id: made.order.id,
    onramp_order_id: onrampOrderId,
  }
  const asking = () => ({
    caller: { kind: 'service' as const, service: 'onramp' as const },
    requestId: newId('request'),
    timeoutMs: TEST_DEADLINE_MS,
    safe: true,
  })
  await call(payments.bus, payments.clock, onrampHolds.create, { ...asking(), body: held })
  const body = { ...held, cause: 'ramping_kyc_timeout' as const }
  await call(payments.bus, payments.clock, onrampHolds.cancelOrder, { ...asking(), body })
  await payments.becomes(made.partner, made.order.id, 'cancelled')
  return { ...made, onrampOrderId }
}

describe('money that arrives after the hard cap', () => {
  it('is recorded for staff, with an event, and changes nothing that partner or merchant see', async () => {
    const { partner, customerId, order, onrampOrderId } = await cappedOrder()
    const { tx_id: txId } = await payments.deposit(order.id)
    const [late] = await isLate(order.id, 1)
    expect(late).toEqual({
      late_payment_id: expect.stringMatching(/^lpm_/),
      order_id: order.id,
      partner_id: partner.partnerId,
      partner_customer_id: customerId,
      customer_id: payments.onboarding.merchantOf(customerId),
      reference: order.reference,
      onramp_order_id: onrampOrderId,
      order_status: 'cancelled',
      network: 'BTC',
      asset: 'BTC',
      amount: '0.0005',
      address: order.address,
      tx_id: txId,
      block_number: expect.any(Number),
      received_at: payments.clock.now().toISOString(),
    })
    expect(await factsOf(order.id)).toEqual([{ name: 'payment.late', partners: [], merchant: null, late }])
    const params = { orderId: order.id }
    expect(await payments.ask(cryptoOrders.getByStaff, operator, { params })).toMatchObject({
      value: {
        order: {
          id: order.id,
          partner_id: partner.partnerId,
          received: '0.0005',
          deposits: [{ tx_id: txId, amount: '0.0005', counted_at: expect.anything(), late: true }],
        },
      },
    })
    for (const body of [{ reference: order.reference }, { address: order.address }, { tx_id: txId }])
      expect(await payments.ask(orders.search, operator, { body })).toMatchObject({
        value: { orders: [{ kind: 'crypto', order_id: order.id, status: 'cancelled', amount: '30.00' }] },
      })
    expect((await payments.eventsOf(order.id)).map(({ name }) => name)).toEqual([
      'payment.pending',
      'payment.expired',
    ])
    expect(await payments.read(partner, order.id)).toMatchObject({
      value: { order: { status: 'cancelled' } },
    })
  })

  it('is recorded once for each deposit, however often it is reported, and only once it is confirmed', async () => {
    const { order } = await cappedOrder()
    await payments.deposit(order.id, '0.0001', 0)
    await payments.deposit(order.id, '0.0002')
    expect((await isLate(order.id, 1))[0]?.amount).toBe('0.0002')
    for (const confirmations of [100, 200]) await payments.confirm(order.id, confirmations)
    const both = await isLate(order.id, 2)
    expect(both.map(({ amount }) => amount).sort()).toEqual(['0.0001', '0.0002'])
    expect(await factsOf(order.id)).toHaveLength(2)
  })

  it('does not exist while the chain has removed it, and is new when it returns', async () => {
    const { order } = await cappedOrder()
    await payments.deposit(order.id, '0.0002')
    const [first] = await isLate(order.id, 1)
    await payments.confirm(order.id, 0)
    await isLate(order.id, 0)
    expect((await payments.eventsOf(order.id)).at(-1)).toMatchObject({
      name: 'payment.reverted',
      partners: [{ data: { status: 'cancelled', received: null, tx_id: first?.tx_id } }],
      merchant: { event: 'reverted' },
    })
    await payments.confirm(order.id, 200)
    const [again] = await isLate(order.id, 1)
    expect(again?.tx_id).toBe(first?.tx_id)
    expect(again?.late_payment_id).not.toBe(first?.late_payment_id)
    expect(await factsOf(order.id)).toHaveLength(2)
  })
})

it('lists a deposit to an expired order as late until a later deposit pays the order', async () => {
  const { partner, order } = await newOrder()
  payments.clock.advance(12 * HOUR_MS)
  await payments.becomes(partner, order.id, 'expired')
  await payments.deposit(order.id, '0.0002')
  expect((await isLate(order.id, 1))[0]?.order_status).toBe('expired')
  await payments.deposit(order.id)
  await payments.becomes(partner, order.id, 'paid')
  await isLate(order.id, 0)
})

it('never lists a deposit as late that pays an order in time', async () => {
  const { partner, order } = await newOrder()
  await payments.deposit(order.id, '0.0001')
  await payments.deposit(order.id)
  await payments.becomes(partner, order.id, 'paid')
  await payments.deposit(order.id, '0.0001')
  const { order: marker } = await cappedOrder()
  await payments.deposit(marker.id)
  await isLate(marker.id, 1)
  expect(await lateOf(order.id)).toEqual([])
})

it('shows late payments to staff page by page, oldest first, and hides them from partners', async () => {
  const { late_payments: all, next_cursor: end } = await pageOf({ limit: '100' })
  expect(end).toBe(null)
  const walked: LatePayment[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Awaited<ReturnType<typeof pageOf>> = await pageOf({
      limit: '1',
      ...(cursor !== '' && { cursor }),
    })
    walked.push(...page.late_payments)
    cursor = page.next_cursor
  }
  expect(walked).toEqual(all)
  expect(await list({ cursor: 'made up' })).toEqual({ ok: false, code: 'invalid_cursor' })
  const { partner } = payments.newCustomer()
  expect(await payments.ask(latePayments.list, partner, { query: {} })).toMatchObject({ ok: false })
})
