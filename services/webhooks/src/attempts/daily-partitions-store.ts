import { statement } from '@causeway/chassis'
import { z } from 'zod'

/** Gives a day (UTC) its table of attempts. No row: it has one, or another replica is at it. $1 days since today, $2 now */
export const openAttemptsDay = statement({
  name: 'attempts.open-day',
  text: `SELECT FROM open_attempts_day(($2::timestamptz AT TIME ZONE 'UTC')::date + $1::integer) AS made WHERE made`,
  row: z.object({}),
})

/** Drops one table of attempts that are all older; no row when there is none. $1 oldest that is kept */
export const dropAttemptsBefore = statement({
  name: 'attempts.drop-before',
  text: 'SELECT dropped FROM drop_attempts_before($1) AS dropped WHERE dropped IS NOT NULL',
  row: z.object({ dropped: z.string() }),
})

/** Deletes old attempts that were never given a day. $1 oldest that is kept, $2 how many at most */
export const deleteStrayAttempts = statement({
  name: 'attempts.delete-strays',
  text: `
    DELETE FROM attempts_other WHERE (delivery_id, at) IN (
      SELECT delivery_id, at FROM attempts_other WHERE at < $1 LIMIT $2)`,
})
