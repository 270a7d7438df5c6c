import { queryMany, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Decisions since a time: by day (UTC), in order, and at the end those of all days, whose `day` is null. */
export const listDecisions = queryMany({
  name: 'review-figures.list-decisions',
  parameters: { since: 'timestamptz' },
  text: `
    SELECT day::text, count(*) FILTER (WHERE status = 'approved')::integer AS approved,
      count(*) FILTER (WHERE status = 'rejected')::integer AS rejected,
      round((percentile_cont(0.5) WITHIN GROUP (ORDER BY waited) / 60)::numeric)::integer AS waited_minutes
    FROM (
      SELECT status, (reviewed_at AT TIME ZONE 'UTC')::date AS day, extract(epoch FROM reviewed_at - submitted_at) AS waited
      FROM verifications WHERE status IN ('approved', 'rejected') AND status_since >= :since
    ) decisions
    GROUP BY GROUPING SETS ((day), ()) ORDER BY day`,
  row: z.object({
    day: z.string().nullable(),
    approved: z.number(),
    rejected: z.number(),
    waitedMinutes: z.number().nullable(),
  }),
})

/** Cases that wait for a decision. */
export const countWaiting = queryOne({
  name: 'review-figures.count-waiting',
  text: `SELECT count(*)::integer AS cases, min(status_since) AS since FROM verifications WHERE status = 'pending'`,
  row: z.object({ cases: z.number(), since: z.date().nullable() }),
})
