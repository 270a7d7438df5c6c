import { newId, type Clock, type Db, type Queryable } from '@causeway/chassis'
import { appendBeginning } from '../audit/store.ts'
import { endPortalLinksByOrigin, endPortalLinksOfOwner } from '../portal-links/store.ts'
import { endSessionsByOrigin, endSessionsOfSubject, endStaleSessions, type SessionRecord } from './store.ts'

/** Why a session ended, as the audit log says it. */
export type EndReason =
  | 'signed_out'
  | 'new_sign_in'
  | 'credential_revoked'
  | 'partner_disabled'
  | 'ended_by_staff'
  | 'ended_by_its_people'
  | 'expired'
  | 'idle'
  | 'person_removed'
  | 'role_changed'

/** @param actor who ended it, as the audit log names people and keys */
type Ending = Readonly<{ now: Date; reason: EndReason; actor: string }>

/** How many sessions and unused links ended. */
export type Ended = Readonly<{ sessions: number; links: number }>

/** A session in the audit log. */
const described = ({ kind, subject, role, origin, expiresAt }: SessionRecord) => ({
  kind,
  subject,
  role,
  origin,
  expires_at: expiresAt.toISOString(),
})

type Entry = Readonly<{
  action: 'session.opened' | 'session.ended'
  now: Date
  actor: string
  reason?: EndReason
}>

/** Appends what happened to a session to the audit log. It locks the log's end: call it last in a transaction. */
export const recordSession = (tx: Queryable, session: SessionRecord, entry: Entry): Promise<void> =>
  appendBeginning(tx, {
    entryId: newId('auditEntry'),
    at: entry.now,
    actor: entry.actor,
    action: entry.action,
    target: session.sessionId,
    after: { ...described(session), ...(entry.reason !== undefined && { reason: entry.reason }) },
    requestId: newId('request'),
  })

export async function recordEnded(
  tx: Queryable,
  ended: readonly SessionRecord[],
  ending: Ending,
): Promise<void> {
  for (const session of ended) await recordSession(tx, session, { action: 'session.ended', ...ending })
}

/** Ends everything that a key or a person opened: its sessions, its unused links, and sessions from its links. */
export async function endByOrigin(tx: Queryable, origin: string, ending: Ending): Promise<Ended> {
  const { now, reason } = ending
  const links = await endPortalLinksByOrigin(tx, { origin, now })
  const sessions = await endSessionsByOrigin(tx, { origin, now, reason })
  await recordEnded(tx, sessions, ending)
  return { sessions: sessions.length, links: links.length }
}

/** Most sessions that one run records as expired or idle. */
const STALE_LIMIT = 200

/** Records the ends of sessions that have expired or been idle for too long; nobody can use them any more. */
export const recordStaleSessions = ({
  db,
  clock,
  staffIdleAfterMs,
}: Readonly<{ db: Db; clock: Clock; staffIdleAfterMs: number }>): Promise<void> =>
  db.transaction(async (tx) => {
    const now = clock.now()
    const staffSeenAfter = new Date(now.getTime() - staffIdleAfterMs)
    for (const { reason, ...session } of await endStaleSessions(tx, {
      now,
      staffSeenAfter,
      limit: STALE_LIMIT,
    }))
      await recordEnded(tx, [session], { now, reason, actor: session.subject })
  })

type Owner = Readonly<{ kind: 'partner' | 'merchant'; subject: string }>

/** Ends the sessions and unused links of a partner's or a merchant's people. */
export async function endOfOwner(tx: Queryable, { kind, subject }: Owner, ending: Ending): Promise<Ended> {
  const { now, reason } = ending
  const links = await endPortalLinksOfOwner(tx, { ownerKind: kind, ownerId: subject, now })
  const sessions = await endSessionsOfSubject(tx, { kind, subject, now, reason })
  await recordEnded(tx, sessions, ending)
  return { sessions: sessions.length, links: links.length }
}
