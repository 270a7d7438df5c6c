import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { newId } from '@causeway/chassis'
import { cryptoOrders, recipients, type Network } from '@causeway/contracts'
import { createDestinations, SANDBOX_ACCOUNTS } from '@causeway/rails/networks'
import { startForTests, type RunningPayments } from '../running-payments.ts'

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(() => payments.stop())

const TO = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const ANOTHER = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const staff = { kind: 'operator' as const, actor: 'staff' }
const LEDGER = { kind: 'service' as const, service: 'ledger' }
const refund = (orderId: string, to_address: string) =>
  payments.ask(cryptoOrders.refund, staff, { params: { orderId }, body: { to_address } })
/** A cancelled order that has received what it was for. */
const cancelledOrder = async (network: Network = 'BTC', asset: 'BTC' | 'ETH' | 'XRP' | 'SOL' = 'BTC') => {
  const { partner, customerId } = payments.newCustomer()
  const order = await payments.newOrder(partner, customerId, { network, asset })
  await payments.cancel(partner, order.id)
  await payments.deposit(order.id)
  await payments.eventually(async () => {
    const file = await payments.ask(cryptoOrders.getByStaff, staff, { params: { orderId: order.id } })
    expect(file).toMatchObject({ value: { order: { received: order.amount } } })
  })
  return { partner, customerId, order }
}
const badAddress = (network: string) => ({
  ok: false,
  code: 'invalid_request',
  details: [
    {
      field: 'to_address',
      reason: 'invalid_value',
      expected: `an address of ${network}`,
    },
  ],
})
const FORBIDDEN = {
  ok: false,
  code: 'invalid_request',
  details: [
    {
      field: 'to_address',
      reason: 'forbidden_address',
      expected: 'an address that is not the platform’s own',
    },
  ],
}

describe('a refund of a cancelled crypto order', () => {
  it('makes the order refunded and emits once on both channels, however often and concurrently staff record it', async () => {
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

  it('cannot be recorded with another address, transaction or amount afterwards', async () => {
    const { order } = await cancelledOrder()
    const again = (body: object) =>
      payments.ask(cryptoOrders.refund, staff, {
        params: { orderId: order.id },
        body: { to_address: TO, ...body },
      })
    expect(await again({ tx_id: 'sent-in-this' })).toMatchObject({
      ok: true,
      value: { order: { status: 'refunded' }, tx_id: 'sent-in-this' },
    })
    expect(await again({})).toMatchObject({ ok: true, value: { tx_id: 'sent-in-this' } })
    const expected = { amount: order.amount, from_address: order.address }
    expect(await again({ expected })).toMatchObject({ ok: true })
    for (const other of [
      { to_address: ANOTHER },
      { tx_id: 'sent-in-another' },
      { expected: { ...expected, amount: '1' } },
    ])
      expect(await again(other)).toMatchObject({
        ok: false,
        code: 'invalid_state',
        details: [{ from: 'refunded', to: 'refunded' }],
      })
  })

  it('is refused if nothing was received, or if the plan showed something else', async () => {
    const { partner, customerId } = payments.newCustomer()
    const empty = await payments.newOrder(partner, customerId)
    await payments.cancel(partner, empty.id)
    expect(await refund(empty.id, TO)).toEqual({
      ok: false,
      code: 'nothing_to_refund',
      details: [{ received: '0' }],
    })
    expect(await payments.read(partner, empty.id)).toMatchObject({
      value: { order: { status: 'cancelled' } },
    })
    const { order } = await cancelledOrder()
    const plan = await payments.ask(cryptoOrders.getRefundPlan, staff, {
      params: { orderId: order.id },
      query: {},
    })
    expect(plan).toMatchObject({
      value: {
        plan: {
          sent_by: 'staff',
          network: 'BTC',
          asset: 'BTC',
          from_address: order.address,
          amount: order.amount,
        },
      },
    })
    const asked = payments.ask(cryptoOrders.refund, staff, {
      params: { orderId: order.id },
      body: { to_address: TO, expected: { amount: '0.1', from_address: order.address } },
    })
    expect(await asked).toEqual({
      ok: false,
      code: 'invalid_state',
      details: [{ reason: 'not_as_expected', amount: order.amount, from_address: order.address }],
    })
  })

  it("accepts only an address of the order's network that is not the platform's", async () => {
    const bitcoin = await cancelledOrder()
    const other = await cancelledOrder()
    for (const address of ['nowhere', `${TO} `, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'])
      expect(await refund(bitcoin.order.id, address)).toEqual(badAddress('BTC'))
    for (const { order } of [bitcoin, other])
      for (const address of [order.address, order.address.toUpperCase()])
        expect(await refund(bitcoin.order.id, address)).toEqual(FORBIDDEN)
    const ether = await cancelledOrder('ETH', 'ETH')
    expect(await refund(ether.order.id, TO)).toEqual(badAddress('ETH'))
    expect(await refund(ether.order.id, ether.order.address.toLowerCase())).toEqual(FORBIDDEN)
    expect(await refund(ether.order.id, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toMatchObject({
      ok: true,
    })
    const ripple = await cancelledOrder('XRP', 'XRP')
    for (const address of [ripple.order.address, SANDBOX_ACCOUNTS.XRP])
      expect(await refund(ripple.order.id, address)).toEqual(FORBIDDEN)
    expect(await refund(ripple.order.id, 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59')).toMatchObject({ ok: true })
    const solana = await cancelledOrder('SOL', 'SOL')
    expect(await refund(solana.order.id, SANDBOX_ACCOUNTS.SOL)).toEqual(FORBIDDEN)
  })

  it('refuses an address from which nobody can send, and the contract of a token', async () => {
    const lost = (field: string) => ({
      ...FORBIDDEN,
      details: [{ ...FORBIDDEN.details[0], field, expected: 'an address that somebody can send from' }],
    })
    const { order } = await cancelledOrder('ETH', 'ETH')
    for (const to of [
      '0x000000000000000000000000000000000000dEaD',
      '0xdac17f958d2ee523a2206206994597c13d831ec7',
    ]) {
      expect(await refund(order.id, to)).toEqual(lost('to_address'))
      const check = payments.ask(recipients.check, LEDGER, { body: { network: 'ETH', address: to } })
      expect(await check).toEqual(lost('address'))
    }
  })

  it.each(['BTC', 'ETH'] as const)(
    'refuses the treasury’s address on %s for a refund and for a payout wallet',
    async (network) => {
      const address = createDestinations(SANDBOX_ACCOUNTS).treasuryOf(network) ?? ''
      const { order } = await cancelledOrder(network, network)
      const spelled = network === 'BTC' ? address.toUpperCase() : address.toLowerCase()
      for (const to of [address, spelled]) {
        expect(await refund(order.id, to)).toEqual(FORBIDDEN)
        const check = payments.ask(recipients.check, LEDGER, { body: { network, address: to } })
        expect(await check).toEqual({
          ...FORBIDDEN,
          details: [{ ...FORBIDDEN.details[0], field: 'address' }],
        })
      }
    },
  )

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

it('refuses to record a refund of an order in any other state, and does not find an unknown one', async () => {
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

it('does not allow partners to record a refund', async () => {
  const { partner, order } = await cancelledOrder()
  const asked = payments.ask(cryptoOrders.refund, partner, {
    params: { orderId: order.id },
    body: { to_address: TO },
  })
  expect(await asked).toMatchObject({ ok: false })
})
