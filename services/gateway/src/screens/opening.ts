import type { OpeningFault, SessionOpening } from '@causeway/screens'
import type { CredentialFault, Authenticated } from '../auth/identity.ts'
import type { SecurityLog } from '../auth/security-log.ts'
import type { Exchange } from '../http/exchange.ts'
import type { GuessLimit } from '../rate-limits/guess-limit.ts'
import type { Sessions } from '../clients/sessions.ts'

export type OpeningOptions = Readonly<{
  sessions: Sessions
  /** Authenticates staff by the value of `Authorization`. */
  authenticateStaff: (header: string) => Authenticated | Promise<Authenticated>
  /** The one actor whose key opens a session of the console; null: every staff key does. */
  onlyActor: string | null
  guesses: GuessLimit
  security: SecurityLog
}>

/** Opens sessions for the caller of a request: a failure counts as a failed credential of its address. */
export const createOpening = (
  { sessions, authenticateStaff, onlyActor, guesses, security }: OpeningOptions,
  exchange: Exchange,
): SessionOpening => {
  const refuse = (kind: 'portal_link' | 'staff_key', reason: CredentialFault): OpeningFault => {
    const limited = guesses.recordFailure(exchange.request) !== null
    security.refused(exchange, { kind, reason, limited })
    return limited ? 'rate_limited' : 'refused'
  }
  return {
    portalLink: async (token) => (await sessions.openByPortalLink(token)) ?? refuse('portal_link', 'unknown'),
    async staffKey(key) {
      const identity = await authenticateStaff(`Bearer ${key}`)
      if (typeof identity === 'string') return refuse('staff_key', identity)
      if (identity.actor === null || identity.role === null) throw new Error('A staff key without a role')
      if (onlyActor !== null && identity.actor !== onlyActor) return refuse('staff_key', 'not_here')
      return sessions.openForStaff(identity.actor, identity.role)
    },
  }
}
