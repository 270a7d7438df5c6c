import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { nextSegment, STEP, type KnownNumbers, type NumberMark, type RunState } from './segment.ts'

const NOW_MS = 1_800_000_000_000
const known = (change: Partial<KnownNumbers> = {}): KnownNumbers => ({
  next: 5_000,
  ceiling: 5_400,
  seenAtMs: NOW_MS - 10_000,
  run: 'same',
  ...change,
})
const mark = (ceiling: number, seenAtMs = NOW_MS - 5_000): NumberMark => ({ ceiling, seenAtMs })

describe('the next numbers', () => {
  test('follow the last ones during the same run of the server', () => {
    const follows = { first: 5_000, ceiling: 5_400 + STEP, skipped: null }
    expect(nextSegment(known(), mark(5_400), NOW_MS)).toEqual(follows)
    expect(nextSegment(known(), null, NOW_MS)).toEqual(follows)
  })

  test('begin at a mark that is above the numbers granted by the database', () => {
    expect(nextSegment(known(), mark(9_000), NOW_MS)).toEqual({
      first: 9_000,
      ceiling: 9_000 + STEP,
      skipped: null,
    })
  })

  test('begin at the mark after a restart of the server, and the skipped ones are watched', () => {
    expect(nextSegment(known({ run: 'restarted' }), mark(8_000), NOW_MS)).toEqual({
      first: 8_000,
      ceiling: 8_000 + STEP,
      skipped: { first: 5_000, ending: 8_000 },
    })
  })

  test('begin after a restore beyond what can have been granted since the newest trace', () => {
    const { first, skipped } = nextSegment(known({ run: 'other' }), mark(8_000), NOW_MS)
    expect(first).toBe(8_000 + 50_000)
    expect(skipped).toEqual({ first: 5_000, ending: 8_000 })
  })

  test('begin beyond what can have been granted since the database was written when the mark was lost', () => {
    for (const run of ['other', 'restarted'] as const) {
      const { first, skipped } = nextSegment(known({ run }), null, NOW_MS)
      expect(first).toBe(5_400 + 100_000)
      expect(skipped).toEqual({ first: 5_000, ending: 25_400 })
    }
  })

  test('do not trust a mark that has decreased', () => {
    expect(nextSegment(known({ run: 'restarted' }), mark(5_399), NOW_MS).first).toBe(5_400 + 50_000)
  })

  test('skip those that the previous version grants while both run', () => {
    const end = 2_146_483_616
    expect(nextSegment(known({ next: end - 600, ceiling: end - 500 }), null, NOW_MS)).toEqual({
      first: 2 ** 31,
      ceiling: 2 ** 31 + STEP,
      skipped: null,
    })
    expect(nextSegment(known({ next: 2 ** 31 + 4, ceiling: 2 ** 31 + 40 }), null, NOW_MS).first).toBe(
      2 ** 31 + 4,
    )
  })
})

/** A database, a mark outside of it, and all numbers that were handed out. */
class World {
  row = { next: 1, ceiling: 1, seenAtMs: NOW_MS, run: null as string | null }
  mark: NumberMark | null = null
  nowMs = NOW_MS
  server = 'history/run-1'
  readonly createdIn = this.server
  /** First and behind last of what was handed out in one piece. */
  readonly taken: (readonly [number, number])[] = []
  readonly copies: (typeof this.row)[] = []

  take(count: number): void {
    for (let left = count; left > 0;) {
      if (this.row.run !== this.server || this.row.next >= this.row.ceiling) this.#grant()
      const { next: first, ceiling } = this.row
      const ending = Math.min(ceiling, first + left)
      expect(this.taken.filter(([from, to]) => from < ending && first < to)).toEqual([])
      this.taken.push([first, ending])
      this.row.next = ending
      left -= ending - first
    }
  }

  #grant(): void {
    const { run, ...row } = this.row
    const history = this.server.split('/')[0] ?? ''
    const state: RunState =
      run === this.server
        ? 'same'
        : run === null && this.server === this.createdIn
          ? 'first'
          : (run ?? this.createdIn).startsWith(`${history}/`)
            ? 'restarted'
            : 'other'
    const segment = nextSegment({ ...row, run: state }, this.mark, this.nowMs)
    this.mark = { ceiling: segment.ceiling, seenAtMs: this.nowMs }
    this.row = {
      next: Math.max(row.next, segment.first),
      ceiling: segment.ceiling,
      seenAtMs: this.nowMs,
      run: this.server,
    }
  }
}

let runs = 1
const steps = fc.oneof(
  fc.record({ kind: fc.constant('take' as const), count: fc.integer({ min: 1, max: 2_500 }) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1_000, max: 3_600_000 }) }),
  fc.constant({ kind: 'copy' as const }),
  fc.record({
    kind: fc.constant('restore' as const),
    which: fc.nat(),
    isHistoryNew: fc.boolean(),
    isMarkLost: fc.boolean(),
  }),
  fc.constant({ kind: 'lose mark' as const }),
)

test('grants no number twice after any sequence of copies, restores, restarts and lost marks', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 40 }), (sequence) => {
      const world = new World()
      // A backup from before the first grant is one too.
      world.copies.push({ ...world.row })
      world.nowMs += 1_000
      world.take(1)
      for (const step of sequence) {
        if (step.kind === 'take') world.take(step.count)
        if (step.kind === 'copy') world.copies.push({ ...world.row })
        if (step.kind === 'lose mark') world.mark = null
        // A second for each step, in which 2,500 numbers at most are taken.
        world.nowMs += step.kind === 'wait' ? step.ms : 1_000
        if (step.kind !== 'restore') continue
        runs += 1
        world.row = { ...(world.copies[step.which % world.copies.length] ?? world.row) }
        // A copy of the data folder keeps its history; without the mark only a new history says that it is one.
        world.server = `${step.isHistoryNew || step.isMarkLost ? `history-${runs}` : 'history'}/run-${runs}`
        if (step.isMarkLost) world.mark = null
      }
      world.take(1)
    }),
  )
})
