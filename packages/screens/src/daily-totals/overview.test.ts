import type { DailyTotal, EntryKind, LedgerAmount } from '@causeway/contracts'
import { expect, test } from '@jest/globals'
import { showOverview } from './overview.ts'

const NOW = new Date('2026-11-30T12:00:00.000Z')

const total = (
  day: string,
  kind: EntryKind,
  amount: LedgerAmount,
  entries = 1,
  unit = typeof amount === 'number' ? 'EUR' : 'ETH/USDC',
): DailyTotal => ({ day, unit, kind, amount, entries })

const show = async (totals: readonly DailyTotal[], query = '') => {
  const asked: unknown[] = []
  const overview = await showOverview({
    path: '/portal/figures',
    query: new URLSearchParams(query),
    now: NOW,
    read: (since) => {
      asked.push(since)
      return Promise.resolve({ ok: true, value: { totals: [...totals] } })
    },
  })
  if (!overview.ok) throw new Error(overview.code)
  const text = String(overview.main)
  const words = text
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
  return { asked, text, words }
}

const TOTALS = [
  total('2026-10-31', 'payment', 10_000, 2),
  total('2026-11-01', 'payment', 20_000, 3),
  total('2026-11-01', 'service_fee', -500, 3),
  total('2026-11-30', 'payment', 5_000),
  total('2026-11-30', 'fee_returned', 100),
  total('2026-11-30', 'refund', -4_000),
  total('2026-11-30', 'dispute', -6_000),
  total('2026-11-30', 'dispute_reversed', 6_000),
  total('2026-11-29', 'payout', -1_000),
  total('2026-11-29', 'split', -30),
]

test('sums a period by group and compares it with the one before', async () => {
  const { asked, words } = await show(TOTALS)
  expect(asked).toEqual([{ since: '2026-10-02' }])
  expect(words).toContain('2026-11-01 to 2026-11-30.')
  expect(words).toContain(
    'Payments 4 +100% on the 30 days before Received €250.00 +150% on the 30 days before Refunded €40.00 Disputed €0.00 Fees €4.00 Paid out €10.00 Splits, conversions and adjustments -€0.30',
  )
})

test('lists each day of the period with its amounts, newest first', async () => {
  const { words } = await show(TOTALS, 'days=7')
  expect(words).toContain(
    '2026-11-30 1 €50.00 €40.00 €0.00 -€1.00 €0.00 €0.00 2026-11-29 0 €0.00 €0.00 €0.00 €0.00 €10.00 -€0.30 2026-11-28 0',
  )
  expect(words).not.toContain('2026-11-23 0')
})

test('adds amounts of assets without rounding, in the unit that the reader chose', async () => {
  const totals = [
    ...TOTALS,
    total('2026-11-29', 'deposit', '0.000000000000000001', 1, 'ETH/ETH'),
    total('2026-11-30', 'deposit', '123456789.1', 1, 'ETH/ETH'),
    total('2026-11-30', 'network_fee', '-0.1', 1, 'ETH/ETH'),
  ]
  const { words } = await show(totals, 'unit=ETH%2FETH')
  expect(words).toContain('Received 123456789.100000000000000001 ETH Refunded 0 ETH')
  expect(words).toContain('Fees 0.1 ETH')
  expect((await show(totals, 'unit=XRP')).words).toContain('Received €250.00')
})

test('draws bars of every day for wide and narrow screens, without styles or names that pages may not have', async () => {
  const { text } = await show(TOTALS, 'days=7')
  const drawings = text.match(/<svg.*?<\/svg>/gs) ?? []
  expect(drawings).toHaveLength(6)
  expect(drawings.map((each) => each.match(/<rect /g)?.length)).toEqual([7, 7, 14, 14, 7, 7])
  expect(text).not.toMatch(/<style|style="|<g[^>]* aria-label/)
  expect(drawings[0]).toContain('€50')
})

test('says that there are no figures before the first payment', async () => {
  expect((await show([])).words).toContain('No figures yet. They begin with the first payment.')
})
