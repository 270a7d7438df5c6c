import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { SettlementLine, SettlementReport } from '../../settlements.ts'
import { checkoutRequest } from '../../../tests/card-fixture.ts'
import { describeSettlementReport } from '../../../tests/settlement-suite.ts'
import { startStripeFixture, type StripeFixture } from '../../../tests/stripe/fixture.ts'
import { createStripeSettlement } from './settlement.ts'

const IMPATIENT_MS = 1_000

const start = async () => {
  const stripe = await startStripeFixture()
  const orderKeys = new Map<string, string>()
  const keyOf = (processorOrderId: string) => orderKeys.get(processorOrderId) ?? ''
  const report = createStripeSettlement(stripe.options)
  const impatient = createStripeSettlement({ ...stripe.options, timeoutMs: IMPATIENT_MS })
  return {
    stripe,
    report,
    impatient,
    keyOf,
    pay: async (cents: number, currency: string) => {
      const change = { totalCents: cents, refundableCents: cents, currency }
      const request = checkoutRequest(stripe.noticeUrl, change)
      const { processorOrderId } = await stripe.processor.createCheckout(request)
      orderKeys.set(processorOrderId, request.orderKey)
      await stripe.pay(request.orderKey, 'completed')
      return processorOrderId
    },
    refund: (processorOrderId: string, cents: number) => stripe.refundOutside(keyOf(processorOrderId), cents),
    dispute: (processorOrderId: string) => stripe.dispute(keyOf(processorOrderId)),
    settle: async () => void stripe.balance.payOut(),
    fault: (mode: Parameters<StripeFixture['fault']>[0]) => stripe.fault(mode, 'all'),
    stop: async () => {
      await report.close()
      await impatient.close()
      await stripe.stop()
    },
  }
}

describeSettlementReport('Stripe', start)

let fixture: Awaited<ReturnType<typeof start>>
beforeEach(async () => {
  fixture = await start()
})
afterEach(() => fixture.stop())

const readAll = async (report: SettlementReport, from: string | null = null) => {
  const lines: SettlementLine[] = []
  for (let position = from; ;) {
    const page = await report.read(position)
    lines.push(...page.lines)
    if (page.isLast) return { lines, position: page.position }
    position = page.position
  }
}

test.each([
  [{ type: 'stripe_fee', reporting_category: 'fee', amount: -120 }, ['fee', 0, 120, -120]],
  [
    { type: 'adjustment', reporting_category: 'dispute_reversal', amount: 900, fee: -20 },
    ['dispute_reversal', 900, -20, 920],
  ],
  [{ type: 'refund_failure', reporting_category: 'refund_failure', amount: 700 }, ['refund', 700, 0, 700]],
  [
    { type: 'reserve_hold', reporting_category: 'risk_reserved_funds', amount: -50 },
    ['adjustment', -50, 0, -50],
  ],
  [{ type: 'tomorrow', reporting_category: 'unheard_of', amount: 5 }, ['adjustment', 5, 0, 5]],
])('reads a transaction of %j as %j', async (added, expected) => {
  fixture.stripe.balance.add({ ...added, currency: 'eur' })
  fixture.stripe.balance.payOut()
  const { lines } = await readAll(fixture.report)
  const [line] = lines.filter(({ kind }) => kind !== 'payout')
  expect([line?.kind, line?.grossCents, line?.feeCents, line?.netCents]).toEqual(expected)
  expect(line?.processorOrderId).toBeNull()
})

test('states what a payment, refund and dispute moved before Stripe converted it, with the rate of its day', async () => {
  const { balance } = fixture.stripe
  balance.settleIn('eur', { usd: 0.88 })
  const [dollars, euros] = [await fixture.pay(6_000, 'USD'), await fixture.pay(700, 'EUR')]
  balance.settleIn('eur', { usd: 0.86 })
  await fixture.refund(dollars, 5_000)
  await fixture.dispute(dollars)
  balance.payOut()
  const { lines } = await readAll(fixture.report)
  const stated = lines.map(({ kind, processorOrderId, grossCents, feeCents, currency, original }) => [
    kind,
    ...[processorOrderId === dollars, grossCents, feeCents, currency, original],
  ])
  const usd = (cents: number, rate: string) => ({ cents, currency: 'USD', rate })
  expect(stated.toSorted()).toEqual(
    [
      ['payment', true, 5_280, 30, 'EUR', usd(6_000, '0.88')],
      ['payment', false, 700, 30, 'EUR', null],
      ['refund', true, -4_300, 0, 'EUR', usd(-5_000, '0.86')],
      ['dispute', true, -5_160, 2_000, 'EUR', usd(-6_000, '0.86')],
      ['payout', false, 5_540, 0, 'EUR', null],
    ].toSorted(),
  )
  expect(lines.find(({ grossCents }) => grossCents === 700)).toMatchObject({ processorOrderId: euros })
  expect(lines.reduce((sum, { netCents }) => sum + netCents, 0)).toBe(0)
})

test.each([
  [
    'a dispute that was won',
    'adjustment',
    'dispute_reversal',
    861,
    { object: 'dispute', amount: 1_000 },
    1_000,
  ],
  [
    'a refund that failed',
    'refund_failure',
    'refund_failure',
    861,
    { object: 'refund', amount: 1_000 },
    1_000,
  ],
  [
    'a payment that failed',
    'payment_failure_refund',
    'charge_failure',
    -861,
    { object: 'charge', amount: 1_000 },
    -1_000,
  ],
  ['a refund of less than a cent', 'refund', 'refund', 0, { object: 'refund', amount: 1 }, -1],
])(
  'states the amount of %s with the sign of its transaction',
  async (_case, type, category, amount, of, cents) => {
    const source = { id: 'id_1', payment_intent: 'pi_1', currency: 'jpy', ...of }
    fixture.stripe.balance.add({ type, reporting_category: category, amount, currency: 'eur', source })
    fixture.stripe.balance.payOut()
    const { lines } = await readAll(fixture.report)
    expect(lines.find(({ kind }) => kind !== 'payout')?.original).toEqual({
      cents,
      currency: 'JPY',
      rate: null,
    })
  },
)

test('states no original amount when Stripe does not provide it', async () => {
  const of = { id: 'ch_1', object: 'charge', payment_intent: 'pi_1', amount: 1_000, currency: 'usd' }
  const added = { type: 'charge', amount: -100, currency: 'eur' }
  fixture.stripe.balance.add({ ...added, reporting_category: 'partial_capture_reversal', source: of })
  fixture.stripe.balance.add({ ...added, reporting_category: 'fee', source: of })
  fixture.stripe.balance.payOut()
  const { lines } = await readAll(fixture.report)
  expect(lines.map(({ kind, original }) => [kind, original]).toSorted()).toEqual([
    ['fee', null],
    ['payment', null],
    ['payout', null],
  ])
})

test('names no order for a payment that was made elsewhere', async () => {
  const of = { amount: 100, currency: 'eur', payment_intent: 'pi_elsewhere' }
  const source = { id: 'ch_1', object: 'charge', ...of }
  const charge = { type: 'charge', reporting_category: 'charge', amount: 100, currency: 'eur', source }
  fixture.stripe.balance.add(charge)
  fixture.stripe.balance.payOut()
  const { lines } = await readAll(fixture.report)
  expect(lines).toContainEqual(expect.objectContaining({ kind: 'payment', processorOrderId: null }))
})

test('reads a payout in progress once Stripe has assigned its transactions, although a later one was read', async () => {
  const early = await fixture.pay(1_000, 'EUR')
  const [payout] = fixture.stripe.balance.payOut('in_progress')
  fixture.stripe.advance(86_400)
  await fixture.pay(2_000, 'EUR')
  fixture.stripe.balance.payOut()
  const first = await readAll(fixture.report)
  expect(first.lines.map(({ grossCents }) => grossCents).filter((cents) => cents > 0)).toEqual([2_000])
  if (payout) payout.reconciliation_status = 'completed'
  const { lines } = await readAll(fixture.report, first.position)
  expect(lines).toContainEqual(
    expect.objectContaining({ processorOrderId: early, grossCents: 1_000, payoutRef: payout?.id }),
  )
})

test('states a manual payout by its own line, because Stripe does not list its contents', async () => {
  await fixture.pay(1_000, 'EUR')
  const [payout] = fixture.stripe.balance.payOut('not_applicable')
  expect((await readAll(fixture.report)).lines).toMatchObject([
    { kind: 'payout', grossCents: -970, netCents: -970, payoutRef: payout?.id },
  ])
})
