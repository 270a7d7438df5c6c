import type { AccessContext } from '../../context.ts'
import { expirePendingActions, purgePendingActions } from '../../pending-actions/store.ts'
import { purgeNotices } from '../../notices/store.ts'
import { purgeBrowsers } from '../../people/store.ts'
import { purgeSignInRequests } from '../../portal-sign-in/store.ts'
import { purgePortalLinks } from '../../portal-links/store.ts'
import { recordStaleSessions } from '../../sessions/ending.ts'
import { purgeSessions } from '../../sessions/store.ts'
import { purgeRevokedTokens, purgeUsedAssertions } from '../store.ts'

const INTERVAL_MS = 60_000
/** The longest time between two notices of a kind about the same thing. */
const NOTICES_KEPT_MS = 24 * 3_600_000
const RESULTS_KEPT_MS = 72 * 3_600_000
/** As long as a browser keeps its cookie. */
const BROWSERS_KEPT_MS = 400 * 24 * 3_600_000
/** The audit log keeps for good what was asked for and decided. */
const PENDING_ACTIONS_KEPT_MS = 30 * 24 * 3_600_000

/** Purges expired assertions, revoked tokens, links, sessions and pending actions every minute, on every replica. */
export const startCredentialPurge = (
  { db, clock, log }: AccessContext,
  { staffIdleAfterMs }: Readonly<{ staffIdleAfterMs: number }>,
) => {
  const timer = setInterval(() => {
    Promise.all([
      purgeUsedAssertions(db, { before: new Date(clock.outsideMs()) }),
      purgeRevokedTokens(db, { before: clock.now() }),
      purgePortalLinks(db, { before: clock.now() }),
      purgeSignInRequests(db, { before: clock.now() }),
      purgeBrowsers(db, { before: new Date(clock.nowMs() - BROWSERS_KEPT_MS) }),
      purgeNotices(db, { before: new Date(clock.nowMs() - NOTICES_KEPT_MS) }),
      recordStaleSessions({ db, clock, staffIdleAfterMs }),
      purgeSessions(db, { before: clock.now() }),
      expirePendingActions(db, {
        now: clock.now(),
        resultsBefore: new Date(clock.nowMs() - RESULTS_KEPT_MS),
      }),
      purgePendingActions(db, { before: new Date(clock.nowMs() - PENDING_ACTIONS_KEPT_MS) }),
    ]).catch((error: unknown) =>
      log.warn({ event: 'oauth.purge_failed', error }, 'Expired credentials could not be purged'),
    )
  }, INTERVAL_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
