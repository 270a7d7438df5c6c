import {
  bearerTokenHash,
  isId,
  newBearerToken,
  newId,
  type Clock,
  type Db,
  type Queryable,
} from '@causeway/chassis'
import { actorOf, actorOfPerson, type PortalRole, type Principal, type StaffRole } from '@causeway/contracts'
import { usePortalLink } from '../portal-links/store.ts'
import { recordEnded, recordSession, type EndReason } from './ending.ts'
import {
  endSessionById,
  endSessionByToken,
  findSession,
  insertSession,
  listSessions,
  recordSessionUse,
  type SessionRecord,
} from './store.ts'

const TTL_MS = 8 * 3_600_000
/** At most one write per session and minute. */
const RECORD_EVERY_MS = 60_000
/** Most of their sessions that people see. */
const OWN_SESSIONS = 100

/** A newly opened session, and its token, which no row holds. */
type OpenedSession = Readonly<{ token: string; expiresAt: Date; principal: Principal }>

type Options = Readonly<{
  db: Db
  clock: Clock
  /** The actor of the operator key that is set now: sessions of an earlier one have ended. */
  operatorActor: string
  /** Time without a request after which a session of staff ends. */
  staffIdleAfterMs: number
}>

const SETTING_ACTOR = 'operator:'

const rowOf = (principal: Principal) => {
  switch (principal.kind) {
    case 'partner':
      return { kind: 'partner', subject: principal.partnerId, role: null } as const
    case 'merchant':
      return { kind: 'merchant', subject: principal.merchantId, role: null } as const
    case 'staff':
      return { kind: 'staff', subject: principal.actor, role: principal.role } as const
  }
}

/** @param personRole the present role of the person; null where a link opened the session, or where it has ended */
const principalOf = (
  { kind, subject, role, origin }: SessionRecord,
  personRole: PortalRole | null,
): Principal | null => {
  const person = origin !== null && personRole !== null ? { personId: origin, role: personRole } : undefined
  if (kind === 'partner') return { kind, partnerId: subject, ...(person && { person }) }
  if (kind === 'merchant') return { kind, merchantId: subject, ...(person && { person }) }
  return role === null ? null : { kind, actor: subject, role }
}

/** People who are not owners see and end their own sessions only. */
const onlyOriginOf = (principal: Principal): string | null =>
  principal.kind === 'staff' || principal.person === undefined || principal.person.role === 'owner'
    ? null
    : principal.person.personId

/** Opens a session. It appends to the audit log: call it last in a transaction. */
export async function openSession(
  tx: Queryable,
  principal: Principal,
  { origin, now }: Readonly<{ origin: string | null; now: Date }>,
): Promise<OpenedSession> {
  const { token, tokenHash } = newBearerToken()
  const expiresAt = new Date(now.getTime() + TTL_MS)
  const session = { ...rowOf(principal), sessionId: newId('session'), origin, expiresAt }
  await insertSession(tx, { ...session, tokenHash, now })
  const record = { ...session, createdAt: now, lastSeenAt: now }
  await recordSession(tx, record, { action: 'session.opened', now, actor: actorOf(principal) })
  return { token, expiresAt, principal }
}

/** Who a session was of, as the audit log names people: a person by id. */
const endedActorOf = (session: SessionRecord): string => {
  if (session.origin !== null && isId('person', session.origin))
    return actorOfPerson(session.subject, session.origin)
  const principal = principalOf(session, null)
  return principal === null ? session.subject : actorOf(principal)
}

async function endByToken(
  db: Db,
  tokenHash: Buffer | null,
  { now, reason }: Readonly<{ now: Date; reason: EndReason }>,
): Promise<void> {
  if (tokenHash === null) return
  await db.transaction(async (tx) => {
    for (const session of await endSessionByToken(tx, { tokenHash, now, reason })) {
      const actor = endedActorOf(session)
      await recordEnded(tx, [session], { now, reason, actor })
    }
  })
}

/**
 * Sessions of the screens (decisions §42): of a partner, a merchant or a member of staff, for 8 hours at most. They end
 * with the key, the link's maker or the sign-in that they came from.
 */
export const createSessions = ({ db, clock, operatorActor, staffIdleAfterMs }: Options) => {
  const live = () => ({
    now: clock.now(),
    staffSeenAfter: new Date(clock.nowMs() - staffIdleAfterMs),
  })

  async function recordUse({ sessionId, lastSeenAt }: SessionRecord): Promise<void> {
    const unlessSince = new Date(clock.nowMs() - Math.min(RECORD_EVERY_MS, staffIdleAfterMs / 2))
    if (lastSeenAt <= unlessSince) await recordSessionUse(db, { sessionId, now: clock.now(), unlessSince })
  }

  return {
    /** Opens the one session that a portal link is for; null for a link that is used, ended, expired or unknown alike. */
    async openByPortalLink(linkToken: string): Promise<OpenedSession | null> {
      const tokenHash = bearerTokenHash(linkToken)
      if (tokenHash === null) return null
      return db.transaction(async (tx) => {
        const now = clock.now()
        const link = await usePortalLink(tx, { tokenHash, now, operatorActor })
        if (link === null) return null
        const { ownerKind, ownerId, origin } = link
        const principal: Principal =
          ownerKind === 'partner'
            ? { kind: 'partner', partnerId: ownerId }
            : { kind: 'merchant', merchantId: ownerId }
        return openSession(tx, principal, { origin, now })
      })
    },

    /** Opens a session for a member of staff whose credential the caller has checked. */
    openForStaff: (actor: string, role: StaffRole): Promise<OpenedSession> =>
      db.transaction((tx) =>
        openSession(tx, { kind: 'staff', actor, role }, { origin: actor, now: clock.now() }),
      ),

    /**
     * Whom a session acts for now; null for one that has expired or ended, or that never was.
     * @param knowsPeople false: the caller would ignore the role of a person, whose sessions it does not find
     */
    async find(token: string, knowsPeople = true): Promise<Principal | null> {
      const tokenHash = bearerTokenHash(token)
      const found = tokenHash && (await findSession(db, { tokenHash, ...live() }))
      if (!found) return null
      if (found.origin?.startsWith(SETTING_ACTOR) === true && found.origin !== operatorActor) return null
      if (found.personRole !== null && !knowsPeople) return null
      await recordUse(found)
      return principalOf(found, found.personRole)
    },

    /** Ends a session by its token, on every replica from its next request on. */
    end: (token: string, reason: EndReason): Promise<void> =>
      endByToken(db, bearerTokenHash(token), { now: clock.now(), reason }),

    /** The live sessions of the same person, or of the same partner's or merchant's people, for their owners and links. */
    async listOwn(principal: Principal): Promise<SessionRecord[]> {
      const { kind, subject } = rowOf(principal)
      const first = { afterAt: new Date(0), afterId: '', limit: OWN_SESSIONS }
      return listSessions(db, { kind, subject, origin: onlyOriginOf(principal), ...live(), ...first })
    },

    /** Ends one of {@link listOwn}; false for every other session. */
    endOwn: (principal: Principal, sessionId: string): Promise<boolean> =>
      db.transaction(async (tx) => {
        const { kind, subject } = rowOf(principal)
        const now = clock.now()
        const reason = 'ended_by_its_people'
        const ended = await endSessionById(tx, {
          sessionId,
          kind,
          subject,
          origin: onlyOriginOf(principal),
          now,
          reason,
        })
        await recordEnded(tx, ended, { now, reason, actor: actorOf(principal) })
        return ended.length > 0
      }),
  }
}
