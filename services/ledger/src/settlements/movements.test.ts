import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Movement } from '../settlement-postings/movements.ts'
import { matchSettlement, type BookedAmount, type ReportedLine } from './matching.ts'
import { lineMovements, missingMovements, type PostedAmount } from './movements.ts'

const UNITS = ['EUR', 'USD', 'GBP'] as const
const cents = fc.integer({ min: -300, max: 300 })
const unit = fc.constantFrom(...UNITS)

/** An amount of the journal with the fee that the books have, and a line about the same order and kind. */
const pair = fc
  .record({
    kind: fc.constantFrom('payment', 'refund', 'dispute', 'dispute_reversal'),
    ...{ amountCents: cents, currency: unit, estimated: fc.boolean() },
    bookedFee: fc.option(fc.record({ cents: fc.nat(20), currency: unit })),
    ...{ grossCents: cents, feeCents: fc.nat(20), wrongBy: fc.constantFrom(0, 0, 1), settled: unit },
    original: fc.option(fc.record({ cents, currency: unit, rate: fc.constant(null) })),
  })
  .map(({ bookedFee, settled, wrongBy, original, kind, grossCents, feeCents, ...amount }) => {
    // A fee in another currency than the amount and the line is a separate amount of the journal.
    const isHere = bookedFee?.currency === amount.currency || bookedFee?.currency === settled
    const fee = bookedFee !== null && isHere && (original !== null || bookedFee.currency === amount.currency)
    const booked: BookedAmount = {
      ...{ ...amount, kind, source: 'fact', orderKey: '7' },
      feeCents: fee ? bookedFee.cents : null,
      feeCurrency: fee ? bookedFee.currency : amount.currency,
    }
    const line: ReportedLine = {
      ...{ lineId: 'line', kind, processorOrderId: 'P7', orderKey: '7', availableOn: '2026-11-28' },
      ...{ grossCents, feeCents, netCents: grossCents - feeCents + wrongBy, currency: settled },
      ...{ payoutRef: null, original: original?.currency === settled ? null : original },
    }
    return { booked, line, posted: { ownerId: 'pcu_1', bookedFee: fee ? bookedFee : null } }
  })

/** By unit, how much movements and the fact have changed what the processor owes. */
const owedAfter = (booked: BookedAmount, { bookedFee }: PostedAmount, movements: readonly Movement[]) => {
  const sums = new Map<string, bigint>(UNITS.map((each) => [each, 0n]))
  const add = (of: string, amount: bigint) => sums.set(of, (sums.get(of) ?? 0n) + amount)
  add(booked.currency, BigInt(booked.amountCents))
  if (bookedFee !== null) add(bookedFee.currency, -BigInt(bookedFee.cents))
  for (const { debit, credit, unit: of, amount } of movements) {
    if (debit === 'receivable') add(of, amount)
    if (credit === 'receivable') add(of, -amount)
  }
  return Object.fromEntries(sums)
}
const nothing = Object.fromEntries(UNITS.map((each) => [each, 0n]))

test('leaves the net amount of a line as what the processor owes, and nothing in any other unit', () => {
  fc.assert(
    fc.property(pair, ({ booked, line, posted }) => {
      const { matches, differences } = matchSettlement([line], [booked], new Set())
      const kind = differences[0]?.kind ?? null
      expect(matches.length + differences.length).toBe(1)
      const moved = lineMovements({ line, booked, kind }, posted, 0n)
      expect(owedAfter(booked, posted, [...moved.line, ...moved.suspense])).toEqual({
        ...nothing,
        [line.currency]: BigInt(line.netCents),
      })
      if (kind === null) expect(moved.suspense).toEqual([])
    }),
  )
})

test('leaves nothing of an amount that no line states', () => {
  fc.assert(
    fc.property(pair, ({ booked, posted }) => {
      expect(owedAfter(booked, posted, missingMovements(booked, posted))).toEqual(nothing)
    }),
  )
})

test('converts exactly what was charged and what was settled, where both are as the books expect', () => {
  const booked: BookedAmount = {
    ...{ source: 'fact', kind: 'payment', orderKey: '7', amountCents: 10_000, currency: 'USD' },
    ...{ estimated: false, feeCents: null, feeCurrency: 'USD' },
  }
  const line: ReportedLine = {
    ...{ lineId: 'line', kind: 'payment', processorOrderId: 'P7', orderKey: '7', availableOn: '2026-11-28' },
    ...{ grossCents: 8_800, feeCents: 200, netCents: 8_600, currency: 'EUR', payoutRef: null },
    original: { cents: 10_000, currency: 'USD', rate: '0.88' },
  }
  const moved = lineMovements({ line, booked, kind: null }, { ownerId: 'pcu_1', bookedFee: null }, 0n)
  const unowned = { ownerId: null, kind: null }
  expect(moved.line).toEqual([
    { debit: 'fee', credit: 'receivable', unit: 'EUR', amount: 200n, ...unowned },
    { debit: 'fx', credit: 'receivable', unit: 'USD', amount: 10_000n, ...unowned },
    { debit: 'receivable', credit: 'fx', unit: 'EUR', amount: 8_800n, ...unowned },
  ])
})
