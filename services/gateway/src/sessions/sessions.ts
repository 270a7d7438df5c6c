import { bearerTokenHash, newBearerToken, type Clock, type Db, type Queryable } from '@causeway/chassis'
import type { StaffRole } from '@causeway/contracts'
import type { OpenedSession, Principal } from '@causeway/screens'
import { usePortalLink } from '../portal-links/store.ts'
import { endSession, findSession, insertSession } from './store.ts'

const TTL_MS = 8 * 3_600_000

type Options = Readonly<{
  db: Db
  clock: Clock
  /** The actor of the operator key that is set now: sessions of an earlier one have ended. */
  operatorActor: string
}>

const SETTING_ACTOR = 'operator:'

const rowOf = (principal: Principal) => {
  switch (principal.kind) {
    case 'partner':
      return { kind: 'partner', subject: principal.partnerId, role: null }
    case 'merchant':
      return { kind: 'merchant', subject: principal.merchantId, role: null }
    case 'staff':
      return { kind: 'staff', subject: principal.actor, role: principal.role }
  }
}

/** Sessions of the screens (decisions §22): 8 hours, bound to a partner, a merchant or a member of staff. */
export const createSessions = ({ db, clock, operatorActor }: Options) => {
  const open = async (tx: Queryable, principal: Principal): Promise<OpenedSession> => {
    const now = clock.now()
    const { token, tokenHash } = newBearerToken()
    const expiresAt = new Date(now.getTime() + TTL_MS)
    await insertSession(tx, { ...rowOf(principal), tokenHash, now, expiresAt })
    return { token, expiresAt, principal }
  }

  return {
    /** Opens the one session that a portal link is for; null for a link that is used, expired or unknown alike. */
    async openByPortalLink(linkToken: string): Promise<OpenedSession | null> {
      const tokenHash = bearerTokenHash(linkToken)
      if (tokenHash === null) return null
      return db.transaction(async (tx) => {
        const owner = await usePortalLink(tx, { tokenHash, now: clock.now() })
        if (owner === null) return null
        const { ownerKind, ownerId } = owner
        return open(
          tx,
          ownerKind === 'partner'
            ? { kind: 'partner', partnerId: ownerId }
            : { kind: 'merchant', merchantId: ownerId },
        )
      })
    },

    /** Opens a session for a member of staff whose credential the caller has checked. */
    openForStaff: (actor: string, role: StaffRole): Promise<OpenedSession> =>
      open(db, { kind: 'staff', actor, role }),

    /** Whom a session acts for now; null for one that has expired or ended, or that never was. */
    async find(token: string): Promise<Principal | null> {
      const tokenHash = bearerTokenHash(token)
      const found = tokenHash && (await findSession(db, { tokenHash, now: clock.now() }))
      if (!found) return null
      const { kind, subject, role } = found
      if (kind === 'partner') return { kind, partnerId: subject }
      if (kind === 'merchant') return { kind, merchantId: subject }
      if (role === null || (subject.startsWith(SETTING_ACTOR) && subject !== operatorActor)) return null
      return { kind, actor: subject, role }
    },

    /** Ends a session, on every replica at once. */
    async end(token: string): Promise<void> {
      const tokenHash = bearerTokenHash(token)
      if (tokenHash !== null) await endSession(db, { tokenHash, now: clock.now() })
    },
  }
}

export type Sessions = ReturnType<typeof createSessions>
