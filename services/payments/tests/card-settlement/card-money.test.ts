import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { unattributedMoney, type FiatOrder } from '@causeway/contracts'
import { createCardCalls } from '../card-calls.ts'
import { createFiatCalls } from '../fiat-calls.ts'
import { startForTests, type RunningPayments } from '../running-payments.ts'

const STAFF = { kind: 'operator' as const, actor: 'staff' }
let payments: RunningPayments
beforeAll(async () => {
  payments = await startForTests()
})
afterAll(() => payments.stop())

const newOrder = async (change: object = {}) => {
  const fiat = createFiatCalls(payments)
  const { partner, customerId, integrationId } = await fiat.newShop()
  const order = await fiat.newOrder(partner, customerId, integrationId, change)
  return {
    order,
    status: async () => {
      const read = await fiat.get(partner, order.order_key)
      return read.ok ? read.value.order.status : read.code
    },
  }
}
const payment = (order: FiatOrder) => payments.cards.ofOrder(order.order_key)
/** Two notices of the payment's state, as processors repeat them. */
const notify = async (order: FiatOrder) => {
  const { sendNotice } = createCardCalls(payments)
  await Promise.all([sendNotice(order), sendNotice(order)])
  await sendNotice(order)
}
const listed = async (order: FiatOrder, status: 'open' | 'ended' = 'open') => {
  const answer = await payments.ask(unattributedMoney.list, STAFF, { query: { status, limit: '100' } })
  if (!answer.ok) throw new Error(answer.code)
  return answer.value.unattributed_money.filter(({ order_key }) => order_key === order.order_key)
}

test.each(['cancelled', 'expired'] as const)(
  'lists a payment once that completes after its order was %s, while the processor has not refunded all of it',
  async (end) => {
    const { order, status } = await newOrder()
    payment(order).status = end
    await notify(order)
    expect(await listed(order)).toEqual([])
    payment(order).status = 'completed'
    await notify(order)
    expect(await status()).toBe(end)
    expect(await listed(order)).toMatchObject([
      {
        kind: 'card_after_end',
        unit: 'EUR',
        amount: 10_000,
        order_status: end,
        processor: 'processor',
        processor_order_id: payment(order).payment_id,
        network: null,
      },
    ])
    payment(order).refunds.push({ refund_id: 'part', amount_cents: 9_999, status: 'succeeded' })
    payment(order).refunds.push({ refund_id: 'pending', amount_cents: 1, status: 'pending' })
    await notify(order)
    expect(await listed(order)).toHaveLength(1)
    payment(order).refunds.push({ refund_id: 'rest', amount_cents: 1, status: 'succeeded' })
    await notify(order)
    expect(await listed(order)).toEqual([])
    expect(await listed(order, 'ended')).toMatchObject([{ ended_by: 'refund', amount: 10_000 }])
    const [part] = payment(order).refunds
    if (part) part.status = 'failed'
    await notify(order)
    expect(await listed(order)).toMatchObject([{ ended_by: null, ended_at: null }])
  },
)

test.each([
  ['less', { cents: 9_999, currency: 'EUR' }, 'captured 99.99 EUR; the order asks for 100.00 EUR'],
  [
    'another currency',
    { cents: 10_000, currency: 'USD' },
    'captured 100.00 USD; the order asks for 100.00 EUR',
  ],
])(
  'does not mark an order as paid when %s was captured, and lists it until the amount is right',
  async (_what, captured, reason) => {
    const { order, status } = await newOrder()
    payment(order).status = 'completed'
    payment(order).captured = captured
    await notify(order)
    expect(await status()).toBe('pending')
    expect(await listed(order)).toMatchObject([
      { kind: 'card_mismatch', unit: captured.currency, amount: captured.cents, reason },
    ])
    payment(order).captured = { cents: 10_000, currency: 'EUR' }
    await notify(order)
    expect(await status()).toBe('paid')
    expect(await listed(order)).toEqual([])
    expect(await listed(order, 'ended')).toMatchObject([{ kind: 'card_mismatch', ended_by: 'counted' }])
  },
)

test('marks an order as paid when more was captured, and lists the surplus', async () => {
  const { order, status } = await newOrder()
  payment(order).status = 'completed'
  payment(order).captured = { cents: 10_250, currency: 'EUR' }
  await notify(order)
  expect(await status()).toBe('paid')
  expect(await listed(order)).toMatchObject([{ kind: 'excess', unit: 'EUR', amount: 250 }])
})

test('finds a payment that completes after the end even if its notice is lost', async () => {
  const { order } = await newOrder()
  payment(order).status = 'expired'
  await notify(order)
  payment(order).status = 'completed'
  payments.clock.advance(payments.config.cardReviewAfterMs)
  await payments.eventually(async () => expect(await listed(order)).toHaveLength(1))
})
