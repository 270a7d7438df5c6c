import { WEEKDAYS } from '@causeway/contracts'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { lastDue, nextDue, type Interval } from './due.ts'

const DAY_MS = 86_400_000
const NONE = { weekday: null, day: null } as const
const at = (text: string) => new Date(text)

test.each([
  [{ ...NONE, interval: 'daily' }, '2026-11-28T00:00:00Z', '2026-11-29T00:00:00Z'],
  [{ ...NONE, interval: 'daily' }, '2026-11-28T23:59:59.999Z', '2026-11-29T00:00:00Z'],
  [{ ...NONE, interval: 'weekly', weekday: 'saturday' }, '2026-11-28T00:00:00Z', '2026-12-05T00:00:00Z'],
  [{ ...NONE, interval: 'weekly', weekday: 'sunday' }, '2026-11-28T12:00:00Z', '2026-11-29T00:00:00Z'],
  [{ ...NONE, interval: 'monthly', day: 1 }, '2026-12-31T12:00:00Z', '2027-01-01T00:00:00Z'],
  [{ ...NONE, interval: 'monthly', day: 28 }, '2027-01-28T00:00:00Z', '2027-02-28T00:00:00Z'],
  [{ ...NONE, interval: 'monthly', day: 'last' }, '2028-02-01T00:00:00Z', '2028-02-29T00:00:00Z'],
  [{ ...NONE, interval: 'monthly', day: 'last' }, '2027-01-31T00:00:00Z', '2027-02-28T00:00:00Z'],
] as const)('finds the due time by %j after %s: %s', (schedule, after, expected) => {
  expect(nextDue(schedule, 0, at(after))).toEqual(at(expected))
})

test('finds no due time for a manual schedule', () => {
  const manual = { ...NONE, interval: 'manual' } as const
  expect([nextDue(manual, 0, new Date(0)), lastDue(manual, 0, new Date(0))]).toEqual([null, null])
})

const INTERVAL: fc.Arbitrary<Interval> = fc.oneof(
  fc.constant({ ...NONE, interval: 'daily' as const }),
  fc.constantFrom(...WEEKDAYS).map((weekday) => ({ ...NONE, interval: 'weekly' as const, weekday })),
  fc
    .oneof(fc.integer({ min: 1, max: 28 }), fc.constant('last' as const))
    .map((day) => ({ ...NONE, interval: 'monthly' as const, day })),
)
const CUT_OFF = fc.integer({ min: 0, max: 1_439 }).map((minutes) => minutes * 60_000)
const TIME = fc.date({
  min: at('2020-01-01T00:00:00Z'),
  max: at('2090-01-01T00:00:00Z'),
  noInvalidDate: true,
})

/** The days of a schedule around a time, by the calendar and without the code above. */
const daysAround = ({ interval, weekday, day }: Interval, time: Date): number[] => {
  const days: number[] = []
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()]
  if (interval === 'monthly')
    for (let offset = -3; offset <= 3; offset += 1)
      days.push(
        day === 'last' ? Date.UTC(year, month + offset + 1, 0) : Date.UTC(year, month + offset, day ?? 0),
      )
  else
    for (let offset = -15; offset <= 15; offset += 1) {
      const each = Date.UTC(year, month, time.getUTCDate() + offset)
      const name = new Date(each).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }).toLowerCase()
      if (interval === 'daily' || name === weekday) days.push(each)
    }
  return days
}

test('finds the first instant after a time and the last up to it, by the calendar, at every time of day', () => {
  fc.assert(
    fc.property(INTERVAL, CUT_OFF, TIME, (schedule, cutOffMs, time) => {
      const instants = daysAround(schedule, time).map((day) => day + cutOffMs)
      const next = instants.filter((ms) => ms > time.getTime())[0]
      const last = instants.filter((ms) => ms <= time.getTime()).at(-1)
      expect(nextDue(schedule, cutOffMs, time)?.getTime()).toBe(next)
      expect(lastDue(schedule, cutOffMs, time)?.getTime()).toBe(last)
    }),
  )
})

test('visits every instant once, and each month once, when it goes from one to the next', () => {
  fc.assert(
    fc.property(INTERVAL, CUT_OFF, TIME, (schedule, cutOffMs, time) => {
      let instant = nextDue(schedule, cutOffMs, time) ?? time
      for (let count = 0; count < 24; count += 1) {
        const next = nextDue(schedule, cutOffMs, instant) ?? instant
        expect(lastDue(schedule, cutOffMs, new Date(next.getTime() - 1))).toEqual(instant)
        expect(lastDue(schedule, cutOffMs, next)).toEqual(next)
        const days = (next.getTime() - instant.getTime()) / DAY_MS
        if (schedule.interval === 'daily') expect(days).toBe(1)
        if (schedule.interval === 'weekly') expect(days).toBe(7)
        if (schedule.interval === 'monthly')
          expect((next.getUTCMonth() + 12 - instant.getUTCMonth()) % 12).toBe(1)
        instant = next
      }
    }),
  )
})
