import { WEEKDAYS } from '@causeway/contracts'

const DAY_MS = 86_400_000
/** Two months have every day of a week and of a month. */
const LOOKED_AT_DAYS = 62

/** `day`: 1 to 28, or `last`. */
export type Interval = Readonly<{
  interval: 'manual' | 'daily' | 'weekly' | 'monthly'
  weekday: (typeof WEEKDAYS)[number] | null
  day: number | 'last' | null
}>

/** Monday is 0. */
const weekdayOf = (day: Date): number => (day.getUTCDay() + 6) % 7
const isLastOfMonth = (day: Date): boolean => new Date(day.getTime() + DAY_MS).getUTCDate() === 1

const fits = ({ interval, weekday, day: chosen }: Interval, day: Date): boolean => {
  switch (interval) {
    case 'manual':
      return false
    case 'daily':
      return true
    case 'weekly':
      return weekday === WEEKDAYS[weekdayOf(day)]
    case 'monthly':
      return chosen === 'last' ? isLastOfMonth(day) : chosen === day.getUTCDate()
  }
}

const startOfDay = (at: Date): number => Math.floor(at.getTime() / DAY_MS) * DAY_MS

const find = (
  schedule: Interval,
  from: number,
  stepMs: number,
  isFound: (ms: number) => boolean,
  cutOffMs: number,
) => {
  for (let looked = 0; looked <= LOOKED_AT_DAYS; looked += 1) {
    const day = from + looked * stepMs
    if (isFound(day + cutOffMs) && fits(schedule, new Date(day))) return new Date(day + cutOffMs)
  }
  return null
}

/**
 * The first instant after a time at which a schedule is due; null for a manual one. Days are UTC's.
 * @param cutOffMs time of day, in milliseconds since midnight
 */
export const nextDue = (schedule: Interval, cutOffMs: number, after: Date): Date | null =>
  find(schedule, startOfDay(after), DAY_MS, (ms) => ms > after.getTime(), cutOffMs)

/** The last instant, up to and including a time, at which a schedule was due; null for a manual one. */
export const lastDue = (schedule: Interval, cutOffMs: number, at: Date): Date | null =>
  find(schedule, startOfDay(at), -DAY_MS, (ms) => ms <= at.getTime(), cutOffMs)
