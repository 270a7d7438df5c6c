import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { afterFailure, afterPage, windowsFrom, type ScanPosition, type Window } from './scan-position.ts'

const END_MS = 1_000_000
const whole: ScanPosition = { windows: [{ sinceMs: 0, untilMs: null }], cursor: null, leftOut: [] }

/** Reads a list of which some moments cannot be told. @returns the moments that were told, and what was left out */
const readAll = (begun: ScanPosition, poisonMs: readonly number[], at: readonly number[]) => {
  const told = new Set<number>()
  let place = begun
  let reads = 0
  for (; place.windows.length > 0; reads += 1) {
    const { sinceMs, untilMs } = place.windows[0] as Window
    const isIn = (ms: number) => ms >= sinceMs && ms < (untilMs ?? Infinity)
    if (poisonMs.some(isIn)) place = afterFailure(place, END_MS)
    else {
      for (const ms of at.filter(isIn)) told.add(ms)
      place = afterPage(place, null)
    }
  }
  return { told: [...told].sort((a, b) => a - b), leftOut: place.leftOut as readonly Window[], reads }
}

describe('the place in a processor’s list', () => {
  it('goes on within a stretch by the cursor, and to the next stretch after the last page', () => {
    const place: ScanPosition = { ...whole, windows: [{ sinceMs: 0, untilMs: 5 }, ...whole.windows] }
    expect(afterPage(place, '100')).toEqual({ ...place, cursor: '100' })
    expect(afterPage({ ...place, cursor: '100' }, null)).toEqual(whole)
  })

  it('tells everything but the seconds that cannot be told, wherever they lie', () => {
    const moments = fc.uniqueArray(fc.integer({ min: 0, max: END_MS - 1 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(moments, fc.integer({ min: 0, max: 3 }), (at, bad) => {
        const poisonMs = at.slice(0, bad)
        const { told, leftOut, reads } = readAll(whole, poisonMs, at)
        for (const { sinceMs, untilMs } of leftOut)
          expect((untilMs ?? Infinity) - sinceMs).toBeLessThanOrEqual(1_000)
        const isLeft = (ms: number) =>
          leftOut.some(({ sinceMs, untilMs }) => ms >= sinceMs && ms < (untilMs ?? 0))
        expect(poisonMs.every(isLeft)).toBe(true)
        expect(told).toEqual(at.filter((ms) => !isLeft(ms)).sort((a, b) => a - b))
        expect(reads).toBeLessThan(1 + 30 * (bad + 1))
        // The next run reads them by themselves, and the rest without a single failure more.
        const next = { ...whole, windows: windowsFrom(0, leftOut) ?? whole.windows }
        const again = readAll(next, poisonMs, at)
        expect(again).toMatchObject({ told, leftOut })
        expect(again.reads).toBe(next.windows.length)
        expect(readAll(next, [], at).told).toEqual([...at].sort((a, b) => a - b))
      }),
    )
  })

  it('keeps what was left out before the time from which the list is read', () => {
    const left = { sinceMs: 1_000, untilMs: 2_000 }
    expect(windowsFrom(60_000, [left])).toEqual([left, { sinceMs: 60_000, untilMs: null }])
    expect(windowsFrom(60_000, [{ orderKey: '1001' }])).toBeNull()
  })
})
