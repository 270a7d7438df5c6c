import { describe, expect, it } from '@jest/globals'
import { planRun, type PastRuns } from './run-plan.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const schedule = { everyMs: MINUTE, overlapMs: HOUR, depthMs: 35 * DAY }
const now = new Date('2026-11-21T12:00:00Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const plan = (past: Partial<PastRuns>, outside = now) =>
  planRun(
    { startedAt: ago(2 * MINUTE), coversUntil: ago(2 * MINUTE), deepStartedAt: ago(2 * HOUR), ...past },
    { now, outside },
    schedule,
  )

describe('a run of the comparison', () => {
  it('reads the whole list the first time', () => {
    expect(plan({ startedAt: null, coversUntil: null, deepStartedAt: null })).toEqual({
      since: new Date(0),
      isDeep: true,
    })
  })

  it('starts behind the previous run, with an overlap', () => {
    expect(plan({})).toEqual({ since: ago(2 * MINUTE + HOUR), isDeep: false })
  })

  it('is not due before its time', () => {
    expect(plan({ startedAt: ago(MINUTE - 1) })).toBeNull()
    expect(plan({ startedAt: ago(MINUTE) })).not.toBeNull()
  })

  it('reads deep once a day', () => {
    expect(plan({ deepStartedAt: ago(DAY) })).toEqual({ since: ago(35 * DAY), isDeep: true })
  })

  it('leaves no gap after a pause longer than the depth', () => {
    const long = { startedAt: ago(90 * DAY), coversUntil: ago(90 * DAY), deepStartedAt: ago(90 * DAY) }
    expect(plan(long)).toEqual({ since: ago(90 * DAY + HOUR), isDeep: true })
  })
})
