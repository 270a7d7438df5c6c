import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  type BookedAmount,
  type DifferenceKind,
  matchSettlement as matchLines,
  type Matching,
  type ReportedLine,
} from './matching.ts'

const KINDS = ['payment', 'refund', 'dispute', 'dispute_reversal'] as const
const PAYOUT = 'po_1'

/** Payouts whose lines, with their own, do not sum to 0. */
const wrongPayouts = (lines: readonly ReportedLine[]): ReadonlySet<string> => {
  const sums = new Map<string, number>()
  for (const { payoutRef, netCents } of lines)
    if (payoutRef !== null) sums.set(payoutRef, (sums.get(payoutRef) ?? 0) + netCents)
  return new Set([...sums].filter(([, sum]) => sum !== 0).map(([payoutRef]) => payoutRef))
}
const matchSettlement = (lines: readonly ReportedLine[], booked: readonly BookedAmount[]) =>
  matchLines(lines, booked, wrongPayouts(lines))

const lineOf = (booked: BookedAmount, change: Partial<ReportedLine> = {}): ReportedLine => {
  const line = {
    ...{ lineId: `line of ${booked.source}`, kind: booked.kind, orderKey: booked.orderKey },
    ...{ processorOrderId: `P${booked.orderKey}`, availableOn: '2026-11-28', payoutRef: null },
    ...{ grossCents: booked.amountCents, feeCents: booked.feeCents ?? 7, currency: booked.currency },
    original: null,
    ...change,
  }
  return { netCents: line.grossCents - line.feeCents, ...line }
}

const amount = fc.record({
  kind: fc.constantFrom(...KINDS),
  amountCents: fc.integer({ min: -400, max: 400 }),
  currency: fc.constantFrom('EUR', 'USD'),
  estimated: fc.boolean(),
  feeCents: fc.option(fc.integer({ min: 0, max: 20 })),
})
/** The only currency of an account that converts what it receives. */
const ACCOUNT = 'CHF'
/** Amounts of one order and kind each. The fee is in the currency of the amount, or of the account. */
const amounts = fc.array(fc.record({ amount, isFeeOfAccount: fc.boolean() }), { maxLength: 12 }).map((all) =>
  all.map(({ amount: each, isFeeOfAccount }, at): BookedAmount => {
    const feeCurrency = isFeeOfAccount ? ACCOUNT : each.currency
    return { ...each, feeCurrency, source: `fact-${at}`, orderKey: String(1_000 + at) }
  }),
)

/** The line as an account of one currency has it. */
const convert = (line: ReportedLine): ReportedLine => ({
  ...line,
  ...{ currency: ACCOUNT, grossCents: line.grossCents + 11, netCents: line.netCents + 11 },
  original: { cents: line.grossCents, currency: line.currency, rate: null },
})

type Fault = 'none' | 'missing' | 'doubled' | 'unknown' | 'amount' | 'currency' | 'fee' | 'net'
const fault = fc.constantFrom<Fault>(
  'none',
  'missing',
  'doubled',
  'unknown',
  'amount',
  'currency',
  'fee',
  'net',
)

/** The lines that a processor with a fault reports for an amount before conversions, and the differences that they are. */
const reported = (
  booked: BookedAmount,
  mistake: Fault,
  settledIn: string,
): [ReportedLine[], DifferenceKind[]] => {
  const right = lineOf(booked)
  const again = (change: Partial<ReportedLine>) => ({
    ...right,
    lineId: `another ${right.lineId}`,
    ...change,
  })
  switch (mistake) {
    case 'none':
      return [[right], []]
    case 'missing':
      return [[], ['missing_there']]
    case 'doubled':
      return [[right, again({})], ['missing_here']]
    case 'unknown':
      return [[right, again({ orderKey: null })], ['missing_here']]
    case 'amount':
      return [
        [lineOf(booked, { grossCents: booked.amountCents + 1 })],
        booked.estimated ? [] : ['other_amount'],
      ]
    case 'currency':
      return [[{ ...right, currency: 'JPY' }], ['other_currency']]
    case 'fee':
      return [
        [lineOf(booked, { feeCents: right.feeCents + 1 })],
        booked.feeCents === null || booked.feeCurrency !== settledIn ? [] : ['other_fee'],
      ]
    case 'net':
      return [[{ ...right, netCents: right.netCents + 1 }], ['sum']]
  }
}

const kindsOf = ({ differences }: Matching) => differences.map(({ kind }) => kind).toSorted()

test('finds exactly the mistakes of a report, each as its kind of difference', () => {
  const reports = amounts.chain((all) =>
    fc.record({
      all: fc.constant(all),
      faults: fc.array(fault, { minLength: all.length, maxLength: all.length }),
      isConverted: fc.boolean(),
    }),
  )
  fc.assert(
    fc.property(reports, ({ all, faults, isConverted }) => {
      const made = all.map((booked, at) =>
        reported(booked, faults[at] ?? 'none', isConverted ? ACCOUNT : booked.currency),
      )
      const matching = matchSettlement(
        made.flatMap(([lines]) => (isConverted ? lines.map(convert) : lines)),
        all,
      )
      expect(kindsOf(matching)).toEqual(made.flatMap(([, kinds]) => kinds).toSorted())
    }),
  )
})

/** Lines and amounts of few orders, amounts and currencies, so that many are alike. */
const alike = fc.record({
  amounts: fc.array(
    fc.record({ ...amountsOf(), estimated: fc.boolean(), feeCents: fc.option(fc.constantFrom(0, 5)) }),
    { maxLength: 10 },
  ),
  lines: fc.array(
    fc.record({
      ...amountsOf('fee', 'adjustment', 'payout'),
      isKnown: fc.boolean(),
      feeCents: fc.constantFrom(0, 5),
      wrongBy: fc.constantFrom(0, 0, 1),
      payoutRef: fc.constantFrom(null, PAYOUT),
      isConverted: fc.boolean(),
    }),
    { maxLength: 10 },
  ),
})
function amountsOf<More extends string = never>(...more: readonly More[]) {
  return {
    kind: fc.constantFrom<'payment' | 'refund' | More>('payment', 'refund', ...more),
    orderKey: fc.constantFrom('1', '2'),
    amountCents: fc.constantFrom(100, 200),
    currency: fc.constantFrom('EUR', 'USD'),
  }
}
const built = alike.map((drawn) => ({
  amounts: drawn.amounts.map((each, at): BookedAmount => ({
    ...each,
    ...{ source: `fact-${at}`, feeCurrency: each.currency },
  })),
  lines: drawn.lines.map(
    ({ amountCents, isKnown, wrongBy, orderKey, isConverted, ...each }, at): ReportedLine => {
      const line = {
        ...each,
        ...{ lineId: `line-${at}`, processorOrderId: `P${orderKey}`, availableOn: '2026-11-28' },
        ...{ orderKey: isKnown ? orderKey : null, grossCents: amountCents, original: null },
        netCents: amountCents - each.feeCents + wrongBy,
      }
      return isConverted ? convert(line) : line
    },
  ),
}))

test('puts every line and every amount into exactly one match or difference', () => {
  fc.assert(
    fc.property(built, ({ lines, amounts: booked }) => {
      const { matches, differences } = matchSettlement(lines, booked)
      const all = [...matches, ...differences]
      const seen = <T>(items: readonly (T | null)[]) => items.filter((item) => item !== null)
      expect(seen(all.map(({ line }) => line)).toSorted(byLine)).toEqual(lines.toSorted(byLine))
      expect(seen(all.map((each) => each.booked)).toSorted(bySource)).toEqual(booked.toSorted(bySource))
      for (const { line, booked: counterpart } of matches)
        if (counterpart !== null)
          expect([line.kind, line.orderKey, line.original?.currency ?? line.currency]).toEqual([
            counterpart.kind,
            counterpart.orderKey,
            counterpart.currency,
          ])
      const groupsOf = (kind: DifferenceKind) =>
        differences
          .filter((each) => each.kind === kind)
          .map(
            ({ line, booked: counterpart }) =>
              `${(line ?? counterpart)?.kind} ${(line ?? counterpart)?.orderKey}`,
          )
      const missingThere = new Set(groupsOf('missing_there'))
      expect(groupsOf('missing_here').filter((group) => missingThere.has(group))).toEqual([])
    }),
  )
})
const byLine = (a: ReportedLine, b: ReportedLine) => (a.lineId < b.lineId ? -1 : 1)
const bySource = (a: BookedAmount, b: BookedAmount) => (a.source < b.source ? -1 : 1)

test('matches the same way in any order of lines and amounts', () => {
  const shuffled = built.chain(({ lines, amounts: booked }) =>
    fc.record({
      given: fc.constant({ lines, booked }),
      lines: fc.shuffledSubarray(lines, { minLength: lines.length }),
      booked: fc.shuffledSubarray(booked, { minLength: booked.length }),
    }),
  )
  const textsOf = ({ matches, differences }: Matching) =>
    [...matches, ...differences].map((each) => JSON.stringify(each)).toSorted()
  fc.assert(
    fc.property(shuffled, ({ given, lines, booked }) => {
      expect(textsOf(matchSettlement(lines, booked))).toEqual(
        textsOf(matchSettlement(given.lines, given.booked)),
      )
    }),
  )
})

const BOOKED: BookedAmount = {
  source: 'fact-1',
  kind: 'payment',
  orderKey: '1001',
  amountCents: 10_000,
  currency: 'EUR',
  estimated: false,
  feeCents: null,
  feeCurrency: 'EUR',
}
const payout = (netCents: number): ReportedLine => ({
  ...lineOf(BOOKED),
  ...{ lineId: 'payout', kind: 'payout', orderKey: null, processorOrderId: null, payoutRef: PAYOUT },
  ...{ grossCents: netCents, feeCents: 0, netCents },
})

test.each([
  [-9_993, []],
  [-9_992, ['sum']],
])('compares a payout of %d with the sum of its lines', (netCents, kinds) => {
  const line = lineOf(BOOKED, { payoutRef: PAYOUT })
  expect(kindsOf(matchSettlement([line, payout(netCents)], [BOOKED]))).toEqual(kinds)
})

test('prefers an equal pair to one that differs', () => {
  const [first, second] = [BOOKED, { ...BOOKED, source: 'fact-0', amountCents: 500 }]
  const lines = [lineOf(first), lineOf(second, { lineId: 'a', grossCents: 501 })]
  expect(matchSettlement(lines, [second, first]).differences).toMatchObject([
    { kind: 'other_amount', line: { lineId: 'a' }, booked: { source: 'fact-0' } },
  ])
})
