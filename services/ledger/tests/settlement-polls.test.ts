import { eventually } from '@causeway/chassis/testing'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checkoutRequest } from '../../../packages/rails/tests/card-fixture.ts'
import { startStripeFixture, type StripeFixture } from '../../../packages/rails/tests/stripe/fixture.ts'
import { createStripeSettlement } from '../../../packages/rails/src/card/stripe/settlement.ts'
import type { SettlementReport } from '@causeway/rails/settlements'
import { postFacts } from '../src/posting/post-facts.ts'
import { paid, refunded } from './fixtures/facts.ts'
import { serveSettledOrders } from './fixtures/settled-orders.ts'
import { startForTests, type RunningLedger } from './running-ledger.ts'

const CENTS = 10_000
const DAY_MS = 86_400_000

let ledger: RunningLedger
let stripe: StripeFixture
let report: SettlementReport
const orders = new Map<string, string>()

beforeAll(async () => {
  stripe = await startStripeFixture()
  report = createStripeSettlement(stripe.options)
  ledger = await startForTests({ pollMs: 1_000 })
  serveSettledOrders(ledger.bus, ledger.clock, { orders, reports: new Map([['stripe', report]]) })
})
afterAll(async () => {
  await ledger.stop()
  await report.close()
  await stripe.stop()
})

/** Pays an order at Stripe, and posts its payment. */
const pay = async (currency = 'EUR'): Promise<string> => {
  const request = checkoutRequest(stripe.noticeUrl, {
    ...{ totalCents: CENTS, refundableCents: CENTS, currency },
  })
  const { processorOrderId } = await stripe.processor.createCheckout(request)
  await stripe.pay(request.orderKey, 'completed')
  orders.set(processorOrderId, request.orderKey)
  const at = ledger.clock.now().toISOString()
  const of = { order_key: request.orderKey, at, service_fee_cents: 0, processor: 'stripe', currency }
  const available_at = new Date(ledger.clock.nowMs() + DAY_MS).toISOString()
  await postFacts(ledger, [paid({ ...of, available_at, fact_id: `card_paid:${request.orderKey}` })])
  return request.orderKey
}
const settled = async () =>
  ledger.sql<{ kind: string; status: string; order_key: string | null }>(
    `SELECT kind, status, order_key FROM settlement_lines WHERE processor = 'stripe' ORDER BY kind, order_key`,
  )

test('fetches Stripe’s reports and matches every line with the journal, also of a later period', async () => {
  const first = await pay()
  const [second, at] = [await pay(), ledger.clock.now().toISOString()]
  await stripe.refundOutside(second, 4_000)
  await postFacts(ledger, [
    refunded({
      ...{ fact_id: 'card_refunded:stripe:1', order_key: second, processor: 'stripe' },
      ...{ at, available_at: new Date(ledger.clock.nowMs() + DAY_MS).toISOString() },
      service_fee_cents: 0,
    }),
  ])
  stripe.balance.payOut()
  const isDone = async (lines: number) => {
    const rows = await settled()
    return rows.length === lines && rows.every(({ status }) => status === 'done')
  }
  await eventually(() => isDone(4))
  expect(await settled()).toEqual([
    ...[first, second].toSorted().map((order_key) => ({ kind: 'payment', status: 'done', order_key })),
    { kind: 'payout', status: 'done', order_key: null },
    { kind: 'refund', status: 'done', order_key: second },
  ])
  await pay()
  stripe.balance.payOut()
  await eventually(() => isDone(6))
  expect(await ledger.sql('SELECT kind FROM differences')).toEqual([])
  const sums = await ledger.sums()
  expect(sums['processor:stripe:receivable EUR'] ?? 0n).toBe(0n)
  // What was paid less what was refunded is at the bank's door, or was the processor's fee.
  const fees = sums['cost:processor_fee EUR'] ?? 0n
  expect(sums['processor:stripe:in_transit EUR']).toBe(-BigInt(3 * CENTS - 4_000) - fees)
})

test('settles payments of another currency in the currency of the account, as Stripe converts them', async () => {
  const before = await ledger.sums()
  stripe.balance.settleIn('eur', { usd: 0.88 })
  const order = await pay('USD')
  stripe.balance.settleIn('eur', { usd: 0.86 })
  await stripe.refundOutside(order, 4_000)
  const at = ledger.clock.now().toISOString()
  await postFacts(ledger, [
    refunded({
      ...{ fact_id: 'card_refunded:stripe:2', order_key: order, processor: 'stripe', currency: 'USD' },
      ...{ at, available_at: at, service_fee_cents: 0 },
    }),
  ])
  stripe.balance.payOut()
  await eventually(async () => {
    const rows = await settled()
    return rows.length === 9 && rows.every(({ status }) => status === 'done')
  })
  const sums = await ledger.sums()
  const grown = (account: string) => (sums[account] ?? 0n) - (before[account] ?? 0n)
  expect(await ledger.sql('SELECT kind FROM differences')).toEqual([])
  expect([grown('fx:USD USD'), grown('fx:EUR EUR')]).toEqual([-6_000n, 8_800n - 3_440n])
  expect([sums['processor:stripe:receivable USD'], sums['processor:stripe:receivable EUR']]).toEqual([
    undefined,
    undefined,
  ])
  expect(grown('processor:stripe:in_transit EUR')).toBe(-(8_800n - 30n - 3_440n))
  expect(
    await ledger.sql(
      `SELECT kind, original_cents::float8, original_currency, original_rate::text FROM settlement_lines
       WHERE original_currency IS NOT NULL ORDER BY kind`,
    ),
  ).toEqual([
    { kind: 'payment', original_cents: 10_000, original_currency: 'USD', original_rate: '0.88' },
    { kind: 'refund', original_cents: -4_000, original_currency: 'USD', original_rate: '0.86' },
  ])
})
