import type { GatewayContext } from '../../context.ts'
import { purgeRevokedTokens, purgeUsedAssertions } from '../store.ts'

const INTERVAL_MS = 60_000

/** Purges expired assertions and revoked tokens every minute, on every replica. */
export const startCredentialPurge = ({ db, clock, log }: GatewayContext) => {
  const timer = setInterval(() => {
    Promise.all([
      purgeUsedAssertions(db, { before: new Date(clock.outsideMs()) }),
      purgeRevokedTokens(db, { before: clock.now() }),
    ]).catch((error: unknown) =>
      log.warn({ event: 'oauth.purge_failed', error }, 'Expired assertions and tokens could not be purged'),
    )
  }, INTERVAL_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
