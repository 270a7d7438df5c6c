import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { queryMany } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { z } from 'zod'
import { newPartner, startForTests, type Partner, type RunningPayments } from '../running-payments.ts'

const HOUR_MS = 3_600_000
const listDeposits = queryMany({
  name: 'test.read-deposits',
  parameters: { orderId: 'text' },
  text: `
    SELECT tx_id, amount, confirmations, counted_at IS NOT NULL AS is_counted
    FROM crypto_deposits WHERE order_id = :orderId ORDER BY seen_at, tx_id`,
  row: z.object({ txId: z.string(), amount: z.string(), confirmations: z.number(), isCounted: z.boolean() }),
})

let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(async () => {
  await payments.stop()
})

/** A BTC order of 0.0005 due. */
const newOrder = async (partner: Partner = newPartner()) => {
  const { customerId } = payments.newCustomer(partner)
  return { partner, customerId, order: await payments.newOrder(partner, customerId, { amount: 30 }) }
}
const depositsOf = (orderId: string) => listDeposits(payments.db, { orderId })
const counted = (orderId: string, count: number) =>
  eventually(async () => {
    const deposits = await depositsOf(orderId)
    return deposits.filter((deposit) => deposit.isCounted).length === count && deposits
  })
const emittedNames = async (orderId: string) => (await payments.eventsOf(orderId)).map((event) => event.name)

describe('a deposit', () => {
  it('pays the order with the amount due, and emits on both channels what arrived', async () => {
    const { partner, customerId, order } = await newOrder()
    const { tx_id: txId } = await payments.deposit(order.id)
    await payments.becomes(partner, order.id, 'paid')
    const [, paid, ...more] = await payments.eventsOf(order.id)
    expect(more).toEqual([])
    expect(paid).toEqual({
      id: expect.stringMatching(/^evt_/),
      name: 'payment.confirmed',
      created_at: payments.clock.now().toISOString(),
      partners: [
        {
          partner_id: partner.partnerId,
          partner_customer_id: customerId,
          type: 'payment.confirmed',
          data: {
            partner_customer_id: customerId,
            rail: 'crypto',
            order_id: order.id,
            status: 'paid',
            reference: order.reference,
            chain: 'BTC',
            asset: 'BTC',
            amount: '0.0005',
            currency: 'EUR',
            tx_id: txId,
            block_number: expect.any(Number),
            received: '0.0005',
          },
        },
      ],
      merchant: {
        merchant_id: payments.onboarding.merchantOf(customerId),
        integration_id: null,
        event: 'paid',
        body: {
          event: 'paid',
          order: {
            id: order.id,
            reference: order.reference,
            merchantId: payments.onboarding.merchantOf(customerId),
            txId,
            blockNumber: paid?.partners[0]?.data['block_number'],
            chain: 'BTC',
            asset: 'BTC',
            amount: '0.0005',
            address: order.address,
            depositAddress: order.address,
            paymentUri: order.paymentUri,
            qrUrl: order.qrUrl,
          },
        },
      },
      fact: null,
    })
  })

  it('pays on every network', async () => {
    const { partner, customerId } = payments.newCustomer()
    const pairs = [
      { network: 'LTC', asset: 'LTC' },
      { network: 'ETH', asset: 'ETH' },
      { network: 'ETH', asset: 'USDT' },
      { network: 'ETH', asset: 'USDC' },
      { network: 'SOL', asset: 'SOL' },
      { network: 'XRP', asset: 'XRP' },
    ] as const
    const created = await Promise.all(pairs.map((pair) => payments.newOrder(partner, customerId, pair)))
    await Promise.all(created.map((order) => payments.deposit(order.id)))
    for (const order of created) await payments.becomes(partner, order.id, 'paid')
  })

  it('counts only at the confirmation depth of its chain, and then once', async () => {
    const { partner, order } = await newOrder()
    await payments.deposit(order.id, undefined, 0)
    await eventually(async () => (await depositsOf(order.id)).length === 1)
    await payments.confirm(order.id, 1)
    await eventually(async () => (await depositsOf(order.id))[0]?.confirmations === 1)
    expect(await payments.read(partner, order.id)).toMatchObject({ value: { order: { status: 'pending' } } })
    await payments.confirm(order.id, 2)
    await payments.becomes(partner, order.id, 'paid')
    await payments.confirm(order.id, 3)
    await payments.confirm(order.id, 4)
    await eventually(async () => (await depositsOf(order.id))[0]?.confirmations === 4)
    expect(await emittedNames(order.id)).toEqual(['payment.pending', 'payment.confirmed'])
  })

  it('makes the order underpaid each time it is too small, until the rest arrives', async () => {
    const { partner, order } = await newOrder()
    await payments.deposit(order.id, '0.0002')
    await counted(order.id, 1)
    await payments.deposit(order.id, '0.0001')
    await counted(order.id, 2)
    expect(await payments.read(partner, order.id)).toMatchObject({
      value: { order: { status: 'underpaid' } },
    })
    await payments.deposit(order.id)
    await payments.becomes(partner, order.id, 'paid')
    const events = await payments.eventsOf(order.id)
    expect(events.map((event) => [event.name, event.partners[0]?.data['received']])).toEqual([
      ['payment.pending', null],
      ['payment.underpaid', '0.0002'],
      ['payment.underpaid', '0.0003'],
      ['payment.confirmed', '0.0005'],
    ])
    expect(events[2]?.merchant?.body['order']).toMatchObject({
      received: '0.0003',
      expected: '0.0005',
      fees: {
        kind: 'crypto',
        currency: 'BTC',
        invoiceAmount: '0.0005',
        networkFee: '0.00002',
        totalToSend: '0.00052',
        platformFeePercent: 0,
        platformFeeAmount: '0',
      },
    })
    expect(new Set(events.map((event) => event.id)).size).toBe(4)
  })

  it('pays within the tolerance, and not one step below it', async () => {
    const [enough, short] = [await newOrder(), await newOrder()]
    await payments.deposit(enough.order.id, '0.0004975')
    await payments.deposit(short.order.id, '0.00049749')
    await payments.becomes(enough.partner, enough.order.id, 'paid')
    await payments.becomes(short.partner, short.order.id, 'underpaid')
  })

  it('pays when it is too large; a deposit after the payment is recorded without an event', async () => {
    const { partner, order } = await newOrder()
    await payments.deposit(order.id, '0.0006')
    await payments.becomes(partner, order.id, 'paid')
    await payments.deposit(order.id, '0.0001')
    await counted(order.id, 2)
    expect(await emittedNames(order.id)).toEqual(['payment.pending', 'payment.confirmed'])
    expect(await payments.read(partner, order.id)).toMatchObject({ value: { order: { status: 'paid' } } })
  })

  it('is recorded without effect on a cancelled order', async () => {
    const { partner, order } = await newOrder()
    await payments.cancel(partner, order.id)
    await payments.deposit(order.id)
    await counted(order.id, 1)
    expect(await emittedNames(order.id)).toEqual(['payment.pending', 'payment.cancelled'])
    expect(await payments.read(partner, order.id)).toMatchObject({
      value: { order: { status: 'cancelled' } },
    })
  })

  it('is emitted to the merchant but no longer to the partner after a revocation', async () => {
    const { partner, customerId, order } = await newOrder()
    await payments.onboarding.publish(payments.onboarding.change(customerId, { status: 'revoked' }))
    await payments.eventually(async () => expect((await payments.read(partner, order.id)).ok).toBe(false))
    await payments.deposit(order.id)
    await counted(order.id, 1)
    const paid = (await payments.eventsOf(order.id)).at(-1)
    expect(paid).toMatchObject({ name: 'payment.confirmed', partners: [], merchant: { event: 'paid' } })
  })
})

describe('the end of an order', () => {
  it('expires a pending order exactly at that time, and emits that once', async () => {
    const { partner, order } = await newOrder()
    payments.clock.advance(12 * HOUR_MS - 1)
    const marker = await newOrder()
    expect(await payments.read(partner, order.id)).toMatchObject({ value: { order: { status: 'pending' } } })
    payments.clock.advance(1)
    await payments.becomes(partner, order.id, 'expired')
    const [, expired, ...more] = await payments.eventsOf(order.id)
    expect(more).toEqual([])
    expect(expired).toMatchObject({
      name: 'payment.expired',
      partners: [{ type: 'payment.expired', data: { status: 'expired', tx_id: null, received: null } }],
      merchant: { event: 'expired' },
    })
    expect(await payments.read(marker.partner, marker.order.id)).toMatchObject({
      value: { order: { status: 'pending' } },
    })
    expect(await payments.cancel(partner, order.id)).toMatchObject({
      code: 'invalid_state',
      details: [{ from: 'expired', to: 'cancelled' }],
    })
  })

  it('does not expire an order with a counted deposit', async () => {
    const [underpaid, pending] = [await newOrder(), await newOrder()]
    await payments.deposit(underpaid.order.id, '0.0001')
    await payments.becomes(underpaid.partner, underpaid.order.id, 'underpaid')
    payments.clock.advance(13 * HOUR_MS)
    await payments.becomes(pending.partner, pending.order.id, 'expired')
    expect(await payments.read(underpaid.partner, underpaid.order.id)).toMatchObject({
      value: { order: { status: 'underpaid' } },
    })
  })

  it('does not prevent the full amount from paying an expired order late', async () => {
    const { partner, order } = await newOrder()
    payments.clock.advance(12 * HOUR_MS)
    await payments.becomes(partner, order.id, 'expired')
    await payments.deposit(order.id, '0.0002')
    await counted(order.id, 1)
    expect(await payments.read(partner, order.id)).toMatchObject({ value: { order: { status: 'expired' } } })
    await payments.deposit(order.id)
    await payments.becomes(partner, order.id, 'paid')
    expect(await emittedNames(order.id)).toEqual(['payment.pending', 'payment.expired', 'payment.confirmed'])
  })
})
