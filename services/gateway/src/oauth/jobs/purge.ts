import type { GatewayContext } from '../../context.ts'
import { purgePortalLinks } from '../../portal-links/store.ts'
import { purgeSessions } from '../../sessions/store.ts'
import { purgeRevokedTokens, purgeUsedAssertions } from '../store.ts'

const INTERVAL_MS = 60_000

/** Purges expired assertions, revoked tokens, links and sessions every minute, on every replica. */
export const startCredentialPurge = ({ db, clock, log }: GatewayContext) => {
  const timer = setInterval(() => {
    Promise.all([
      purgeUsedAssertions(db, { before: new Date(clock.outsideMs()) }),
      purgeRevokedTokens(db, { before: clock.now() }),
      purgePortalLinks(db, { before: clock.now() }),
      purgeSessions(db, { before: clock.now() }),
    ]).catch((error: unknown) =>
      log.warn({ event: 'oauth.purge_failed', error }, 'Expired credentials could not be purged'),
    )
  }, INTERVAL_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
