import { z } from 'zod'
import { queryOne } from './statement.ts'

/** The state of the server's archive of its log, and the age of its last base backup; `isOn` false where nothing is archived. */
export const readLogArchive = queryOne({
  name: 'log-archive.read',
  text: `
    SELECT current_setting('archive_mode') <> 'off' AS is_on,
      extract(epoch FROM now() - coalesce(last_archived_time, stats_reset, pg_postmaster_start_time()))::float8
        AS age_seconds,
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) AS is_failing,
      extract(epoch FROM now() - coalesce(noted.base_backup_at, pg_postmaster_start_time()))::float8
        AS base_backup_age_seconds
    FROM pg_stat_archiver
    LEFT JOIN LATERAL (
      SELECT split_part(setting, '=', 2)::timestamptz AS base_backup_at
      FROM pg_roles, unnest(rolconfig) AS setting
      WHERE rolname = 'backup' AND setting LIKE 'causeway.base_backup_at=%'
    ) AS noted ON true`,
  row: z.object({
    isOn: z.boolean(),
    ageSeconds: z.number(),
    isFailing: z.boolean(),
    /** Since the last one that `deploy/backup.sh` noted; without one, since the server's start. */
    baseBackupAgeSeconds: z.number(),
  }),
})
