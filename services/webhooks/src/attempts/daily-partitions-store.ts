import { queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Gives a day (UTC) its partition of attempts, unless it has one or another replica is creating it. */
export const openAttemptsDay = queryNone({
  name: 'attempts.open-day',
  parameters: { daysAhead: 'integer', now: 'timestamptz' },
  text: `SELECT FROM open_attempts_day((:now AT TIME ZONE 'UTC')::date + :daysAhead)`,
})

/** Drops one partition whose attempts are all older; null without such a partition. */
export const dropAttemptsBefore = queryOne({
  name: 'attempts.drop-before',
  parameters: { oldest: 'timestamptz' },
  text: 'SELECT dropped FROM drop_attempts_before(:oldest) AS dropped WHERE dropped IS NOT NULL',
  row: z.object({ dropped: z.string() }),
})

/** Deletes old attempts in the default partition. */
export const deleteUnpartitionedAttempts = queryNone({
  name: 'attempts.delete-strays',
  parameters: { oldest: 'timestamptz', limit: 'integer' },
  text: `
    DELETE FROM attempts_other WHERE (delivery_id, at) IN (
      SELECT delivery_id, at FROM attempts_other WHERE at < :oldest LIMIT :limit)`,
})
