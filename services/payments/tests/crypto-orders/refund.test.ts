import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { cryptoOrders, type Network } from '@causeway/contracts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(() => payments.stop())

const TO = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const ANOTHER = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const staff = { kind: 'operator' as const, actor: 'staff' }
const refund = (orderId: string, to_address: string) =>
  payments.ask(cryptoOrders.refund, staff, { params: { orderId }, body: { to_address } })
const cancelledOrder = async (network: Network = 'BTC', asset: 'BTC' | 'ETH' | 'XRP' = 'BTC') => {
  const { partner, customerId } = payments.newCustomer()
  const order = await payments.newOrder(partner, customerId, { network, asset })
  await payments.cancel(partner, order.id)
  return { partner, customerId, order }
}
const badAddress = (network: string) => ({
  ok: false,
  code: 'invalid_request',
  details: [
    {
      field: 'to_address',
      reason: 'invalid_value',
      expected: `an address of ${network} other than the order’s own`,
    },
  ],
})

describe('a refund of a cancelled crypto order', () => {
  it('makes it refunded and emits once on both channels, however often and concurrently staff record it', async () => {
    const { partner, customerId, order } = await cancelledOrder()
    const answers = await Promise.all(Array.from({ length: 5 }, () => refund(order.id, TO)))
    const refunded_at = payments.clock.now().toISOString()
    const shown = { ...order, status: 'refunded' }
    for (const answer of answers)
      expect(answer).toMatchObject({ ok: true, value: { order: shown, to_address: TO, refunded_at } })
    expect(await payments.read(partner, order.id)).toMatchObject({ value: { order: { status: 'refunded' } } })
    payments.clock.advance(60_000)
    expect(await refund(order.id, TO)).toMatchObject({ value: { order: shown, refunded_at } })

    const events = await payments.eventsOf(order.id)
    expect(events.map(({ name }) => name)).toEqual([
      'payment.pending',
      'payment.cancelled',
      'payment.refunded',
    ])
    const event = events[2]
    expect(event?.partners).toEqual([
      {
        partner_id: partner.partnerId,
        partner_customer_id: customerId,
        type: 'payment.refunded',
        data: expect.objectContaining({
          rail: 'crypto',
          order_id: order.id,
          status: 'refunded',
          tx_id: null,
        }),
      },
    ])
    expect(event?.merchant).toMatchObject({
      event: 'refunded',
      integration_id: null,
      body: { event: 'refunded', order: { id: order.id, refundedAt: refunded_at } },
    })
    expect(JSON.stringify(event)).not.toContain(TO)
  })

  it('cannot be recorded with another address afterwards', async () => {
    const { order } = await cancelledOrder()
    await refund(order.id, TO)
    expect(await refund(order.id, ANOTHER)).toEqual({
      ok: false,
      code: 'invalid_state',
      details: [{ from: 'refunded', to: 'refunded' }],
    })
  })

  it("takes only an address of the order's network, and not the order's own", async () => {
    const bitcoin = await cancelledOrder()
    for (const address of [
      'nowhere',
      `${TO} `,
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      bitcoin.order.address,
    ])
      expect(await refund(bitcoin.order.id, address)).toEqual(badAddress('BTC'))
    const ether = await cancelledOrder('ETH', 'ETH')
    expect(await refund(ether.order.id, TO)).toEqual(badAddress('ETH'))
    expect(await refund(ether.order.id, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toMatchObject({
      ok: true,
    })
    const ripple = await cancelledOrder('XRP', 'XRP')
    expect(await refund(ripple.order.id, 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59')).toMatchObject({ ok: true })
  })

  it('emits no event to a partner whose relationship was revoked', async () => {
    const { partner, customerId, order } = await cancelledOrder()
    await payments.onboarding.publish(payments.onboarding.change(customerId, { status: 'revoked' }))
    await payments.eventually(async () =>
      expect(await payments.read(partner, order.id)).toMatchObject({ ok: false }),
    )
    expect(await refund(order.id, TO)).toMatchObject({ ok: true })
    expect((await payments.eventsOf(order.id)).at(-1)).toMatchObject({
      name: 'payment.refunded',
      partners: [],
    })
  })
})

it('an order in any other state is not refunded, and an unknown one is not found', async () => {
  const { partner, customerId } = payments.newCustomer()
  const pending = await payments.newOrder(partner, customerId)
  const refused = (from: string) => ({
    ok: false,
    code: 'invalid_state',
    details: [{ from, to: 'refunded' }],
  })
  expect(await refund(pending.id, TO)).toEqual(refused('pending'))
  await payments.deposit(pending.id)
  await payments.becomes(partner, pending.id, 'paid')
  expect(await refund(pending.id, TO)).toEqual(refused('paid'))
  expect(await refund(newId('cryptoOrder'), TO)).toEqual({ ok: false, code: 'resource_not_found' })
})

it('partners may not refund', async () => {
  const { partner, order } = await cancelledOrder()
  const asked = payments.ask(cryptoOrders.refund, partner, {
    params: { orderId: order.id },
    body: { to_address: TO },
  })
  expect(await asked).toMatchObject({ ok: false })
})
