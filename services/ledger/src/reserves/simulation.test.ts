import { expect, test } from '@jest/globals'
import type { EntryKind } from '@causeway/contracts'
import { simulate, type SimulatedEntry } from './simulation.ts'

const DAY_MS = 86_400_000
const OWNER = 'pcu_1'
const PERIOD = { fromMs: 0, toMs: 100 * DAY_MS }
const share = { kind: 'share', shareBps: 1_000, days: 10 } as const
const fixed = { kind: 'fixed', amount: 500n, unit: 'EUR' } as const

/** An entry of 1,000 of an order on a day. */
const entry = (day: number, change: Partial<SimulatedEntry> = {}): SimulatedEntry => ({
  ...{ source: `s-${day}`, kind: 'payment', amount: 1_000n, isReversal: false },
  ...{ ownerId: OWNER, unit: 'EUR', orderRef: '1', balanceBefore: 0n },
  availableAt: new Date(day * DAY_MS),
  paidAt: new Date(day * DAY_MS),
  ...change,
})
const taking = (day: number, amount: bigint, kind: EntryKind = 'refund') =>
  entry(day, { kind, amount: -amount })

test('holds the share of an order for its days', () => {
  expect(simulate([entry(10)], share, PERIOD)).toEqual([
    { unit: 'EUR', maximum: 100n, average: 10n, covered: 0n, taken: 0n },
  ])
})

test('covers what an order loses from its own reserve alone', () => {
  const other = entry(10, { orderRef: '2', source: 'other' })
  expect(simulate([entry(10), other, taking(15, 60n), taking(16, 300n, 'dispute')], share, PERIOD)).toEqual([
    { unit: 'EUR', maximum: 200n, average: 15n, covered: 100n, taken: 360n },
  ])
})

test('counts what was held before the period and is held in it, and nothing of what was taken before', () => {
  const found = simulate([entry(-5), entry(-4, { orderRef: '2' }), taking(-3, 20n)], share, PERIOD)
  expect(found).toEqual([{ unit: 'EUR', maximum: 180n, average: 10n, covered: 0n, taken: 0n }])
})

test('holds a fixed amount in its unit, leaves the rest to payouts, and covers what takes the rest', () => {
  const payout = entry(20, { kind: 'payout', amount: -1_000n, orderRef: null })
  const dispute = taking(30, 450n, 'dispute')
  expect(simulate([entry(10), payout, dispute, entry(40, { unit: 'USD' })], fixed, PERIOD)).toEqual([
    { unit: 'EUR', maximum: 500n, average: 135n, covered: 450n, taken: 450n },
  ])
})

test('reports each unit separately', () => {
  expect(simulate([entry(10), entry(20, { unit: 'USD' })], share, PERIOD).map(({ unit }) => unit)).toEqual([
    'EUR',
    'USD',
  ])
})
