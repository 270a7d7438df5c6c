import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { afterFailure, afterPage, windowsFrom, type ScanPosition, type Window } from './scan-position.ts'

const END_MS = 1_000_000
const whole: ScanPosition = { windows: [{ sinceMs: 0, untilMs: null }], cursor: null, skipped: [] }

/** Reads a list that fails for some moments. @returns the moments that were listed, and what was skipped */
const readAll = (begun: ScanPosition, failingMs: readonly number[], at: readonly number[]) => {
  const listed = new Set<number>()
  let position = begun
  let reads = 0
  for (; position.windows.length > 0; reads += 1) {
    const { sinceMs, untilMs } = position.windows[0] as Window
    const isIn = (ms: number) => ms >= sinceMs && ms < (untilMs ?? Infinity)
    if (failingMs.some(isIn)) position = afterFailure(position, END_MS)
    else {
      for (const ms of at.filter(isIn)) listed.add(ms)
      position = afterPage(position, null)
    }
  }
  return { listed: [...listed].sort((a, b) => a - b), skipped: position.skipped as readonly Window[], reads }
}

describe('the scan position in a processor’s list', () => {
  it('continues within a window by the cursor, and in the next window after the last page', () => {
    const position: ScanPosition = { ...whole, windows: [{ sinceMs: 0, untilMs: 5 }, ...whole.windows] }
    expect(afterPage(position, '100')).toEqual({ ...position, cursor: '100' })
    expect(afterPage({ ...position, cursor: '100' }, null)).toEqual(whole)
  })

  it('reaches everything except the seconds that fail, wherever they are', () => {
    const moments = fc.uniqueArray(fc.integer({ min: 0, max: END_MS - 1 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(moments, fc.integer({ min: 0, max: 3 }), (at, bad) => {
        const failingMs = at.slice(0, bad)
        const { listed, skipped, reads } = readAll(whole, failingMs, at)
        for (const { sinceMs, untilMs } of skipped)
          expect((untilMs ?? Infinity) - sinceMs).toBeLessThanOrEqual(1_000)
        const isSkipped = (ms: number) =>
          skipped.some(({ sinceMs, untilMs }) => ms >= sinceMs && ms < (untilMs ?? 0))
        expect(failingMs.every(isSkipped)).toBe(true)
        expect(listed).toEqual(at.filter((ms) => !isSkipped(ms)).sort((a, b) => a - b))
        expect(reads).toBeLessThan(1 + 30 * (bad + 1))
        // The next run reads them separately, and the rest without another failure.
        const next = { ...whole, windows: windowsFrom(0, skipped) ?? whole.windows }
        const again = readAll(next, failingMs, at)
        expect(again).toMatchObject({ listed, skipped })
        expect(again.reads).toBe(next.windows.length)
        expect(readAll(next, [], at).listed).toEqual([...at].sort((a, b) => a - b))
      }),
    )
  })

  it('keeps what was skipped before the time from which the list is read', () => {
    const part = { sinceMs: 1_000, untilMs: 2_000 }
    expect(windowsFrom(60_000, [part])).toEqual([part, { sinceMs: 60_000, untilMs: null }])
    expect(windowsFrom(60_000, [{ orderKey: '1001' }])).toBeNull()
  })
})
