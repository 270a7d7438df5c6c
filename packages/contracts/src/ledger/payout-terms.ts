import { z } from 'zod'
import { LedgerAmount } from './units.ts'

export const ScheduleInterval = z.enum(['manual', 'daily', 'weekly', 'monthly'])
export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const
export const Weekday = z.enum(WEEKDAYS)
/** Day of a month: one that every month has, or its last. */
export const ScheduleDay = z.union([z.number().int().min(1).max(28), z.literal('last')])

/** When a relationship is paid out in one unit (decisions §48). */
export const PayoutSchedule = z.object({
  unit: z.string(),
  interval: ScheduleInterval,
  /** Only of a weekly one. */
  weekday: Weekday.nullable(),
  /** Only of a monthly one. */
  day: ScheduleDay.nullable(),
  minimum_amount: LedgerAmount,
  /** Null: a destination that the platform does not know. */
  payout_wallet_id: z.string().nullable(),
})
export type PayoutSchedule = z.infer<typeof PayoutSchedule>
