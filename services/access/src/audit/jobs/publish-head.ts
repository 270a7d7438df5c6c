import type { AccessContext } from '../../context.ts'
import { auditLog } from '../store.ts'

const INTERVAL_MS = 3_600_000

/**
 * Logs the head of the audit log's chain, at the start and every hour: a log that was truncated or rewritten since does
 * not contain it any more (`pnpm audit:verify --head`). Warns at the start when the database role of access could
 * rewrite the log.
 */
export const startAuditHead = ({ db, log }: Pick<AccessContext, 'db' | 'log'>) => {
  const logHead = async () => {
    const { sequence, hash } = await auditLog.getHead(db.pooled)
    log.info({ event: 'audit.head', sequence, hash }, 'The audit log ends here')
  }
  const warnOfPrivileges = async () => {
    if (await auditLog.isRewritable(db.pooled))
      log.warn(
        { event: 'audit.unprotected' },
        'The database role of this service can rewrite the audit log: run deploy/postgres/protect-audit-log.sql',
      )
  }
  const run = (step: () => Promise<void>) => {
    step().catch((error: unknown) =>
      log.warn({ event: 'audit.read_failed', error }, 'The audit log could not be read'),
    )
  }
  run(warnOfPrivileges)
  run(logHead)
  const timer = setInterval(() => run(logHead), INTERVAL_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
