import { readLogArchive } from './db/log-archive-store.ts'
import { startLoop, type Loop } from './loop.ts'
import { metrics } from './metrics.ts'
import type { ServiceContext } from './service-context.ts'

const EVERY_MS = 30_000
const REST_MS = 1_000

const age = metrics.gauge(
  'causeway_database_archive_age_seconds',
  'Time since PostgreSQL last archived a WAL segment; 0 if archive_mode is off',
)
const failing = metrics.gauge(
  'causeway_database_archive_failing',
  '1: the last run of archive_command failed; 0: it succeeded, or archive_mode is off',
)

const baseBackupAge = metrics.gauge(
  'causeway_database_base_backup_age_seconds',
  'Time since the last base backup recorded by deploy/backup.sh, or since the server started; 0 if archive_mode is off',
)

/** Keeps the gauges of the log's archive, from which a database is restored to a moment (docs/OPERATIONS.md#backups). */
export const startLogArchiveGauges = ({ db, log }: Pick<ServiceContext, 'db' | 'log'>): Loop =>
  startLoop({
    name: 'log-archive-gauges',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log,
    async run() {
      const archive = await readLogArchive(db.pooled)
      if (!archive?.isOn) return
      age.set(archive.ageSeconds)
      failing.set(archive.isFailing ? 1 : 0)
      baseBackupAge.set(archive.baseBackupAgeSeconds)
    },
  })
