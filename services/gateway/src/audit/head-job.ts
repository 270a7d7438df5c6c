import type { Db, Logger } from '@causeway/chassis'
import { auditStore } from './store.ts'

const INTERVAL_MS = 3_600_000

/**
 * Logs the end of the audit log's chain, at the start and every hour: a log that was cut or written anew does not
 * contain it any more (`pnpm audit:verify --head`). Warns where the database does not protect the log from the service.
 */
export const startAuditHead = ({ db, log }: Readonly<{ db: Db; log: Logger }>) => {
  const tellHead = async () => {
    const { sequence, hash } = await auditStore.head(db.apart)
    log.info({ event: 'audit.head', sequence, hash }, 'The audit log ends here')
  }
  const tellOwner = async () => {
    if (await auditStore.isRewritable(db.apart))
      log.warn(
        { event: 'audit.unprotected' },
        'The database role of this service can rewrite the audit log: run deploy/postgres/protect-audit-log.sql',
      )
  }
  const tell = (what: () => Promise<void>) => {
    what().catch((error: unknown) => log.warn({ error }, 'The audit log could not be looked at'))
  }
  tell(tellOwner)
  tell(tellHead)
  const timer = setInterval(() => tell(tellHead), INTERVAL_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
