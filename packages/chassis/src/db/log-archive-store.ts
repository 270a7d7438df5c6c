import { z } from 'zod'
import { queryOne } from './statement.ts'

/** How the server's archive of its log stands; `isOn` false where nothing is archived. */
export const readLogArchive = queryOne({
  name: 'log-archive.read',
  text: `
    SELECT current_setting('archive_mode') <> 'off' AS is_on,
      extract(epoch FROM now() - coalesce(last_archived_time, stats_reset, pg_postmaster_start_time()))::float8
        AS age_seconds,
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) AS is_failing
    FROM pg_stat_archiver`,
  row: z.object({ isOn: z.boolean(), ageSeconds: z.number(), isFailing: z.boolean() }),
})
