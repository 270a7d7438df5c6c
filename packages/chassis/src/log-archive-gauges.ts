import { readLogArchive } from './db/log-archive-store.ts'
import { startLoop, type Loop } from './loop.ts'
import { metrics } from './metrics.ts'
import type { ServiceContext } from './service-context.ts'

const EVERY_MS = 30_000
const REST_MS = 1_000

const age = metrics.gauge(
  'causeway_database_archive_age_seconds',
  'Time since PostgreSQL last archived a segment of its log; 0 where archive_mode is off',
)
const failing = metrics.gauge(
  'causeway_database_archive_failing',
  '1: the last try of archive_command failed; 0: it succeeded, or archive_mode is off',
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
    },
  })
