import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { PortalRole, StaffRole } from '@causeway/contracts'
import { z } from 'zod'

const SessionRecord = z.object({
  sessionId: z.string(),
  kind: z.enum(['staff', 'partner', 'merchant']),
  subject: z.string(),
  role: StaffRole.nullable(),
  origin: z.string().nullable(),
  createdAt: z.date(),
  lastSeenAt: z.date(),
  expiresAt: z.date(),
})
export type SessionRecord = z.infer<typeof SessionRecord>

/** Sessions of the previous version of staff have no origin: it is the person. */
const ORIGIN = `CASE kind WHEN 'staff' THEN coalesce(origin, subject) ELSE origin END`
const LAST_SEEN = 'coalesce(last_seen_at, created_at)'
const SHOWN = `session_id, kind, subject, role, ${ORIGIN} AS origin, created_at, ${LAST_SEEN} AS last_seen_at, expires_at`
const IS_LIVE = `ended_at IS NULL AND expires_at > :now AND (kind <> 'staff' OR ${LAST_SEEN} > :staffSeenAfter)`

/** The present role of the person of a session, below the session's own partner or merchant. */
const PERSON_ROLE = `(
  SELECT p.role FROM people p
  WHERE p.person_id = sessions.origin AND p.owner_kind = sessions.kind AND p.owner_id = sessions.subject
    AND p.accepted_at IS NOT NULL AND p.removed_at IS NULL)`

export const insertSession = queryNone({
  name: 'sessions.insert',
  parameters: {
    sessionId: 'text',
    tokenHash: 'bytea',
    kind: 'text',
    subject: 'text',
    role: 'text?',
    origin: 'text?',
    now: 'timestamptz',
    expiresAt: 'timestamptz',
  },
  text: `
    INSERT INTO sessions (session_id, token_hash, kind, subject, role, origin, created_at, last_seen_at, expires_at)
    VALUES (:sessionId, :tokenHash, :kind, :subject, :role, :origin, :now, :now, :expiresAt)`,
})

/**
 * A live session, of a partner that is active, from a key that is not revoked or a person that is not removed. The
 * transaction that revokes ends the session too; the conditions also hold when the previous version revoked.
 */
export const findSession = queryOne({
  name: 'sessions.find',
  parameters: { tokenHash: 'bytea', now: 'timestamptz', staffSeenAfter: 'timestamptz' },
  text: `
    SELECT ${SHOWN}, ${PERSON_ROLE} AS person_role FROM sessions
    WHERE token_hash = :tokenHash AND ${IS_LIVE}
      AND (origin IS NULL OR NOT starts_with(origin, 'psn_') OR ${PERSON_ROLE} IS NOT NULL)
      AND (kind <> 'partner' OR EXISTS (SELECT FROM partners WHERE partner_id = subject AND status = 'active'))
      AND (SELECT revoked_at FROM staff_keys WHERE staff_key_id = ${ORIGIN}) IS NULL
      AND (SELECT revoked_at FROM merchant_api_keys WHERE key_id = origin) IS NULL`,
  row: SessionRecord.extend({ personRole: PortalRole.nullable() }),
})

/** Records a use, unless one was recorded after `unlessSince`. */
export const recordSessionUse = queryNone({
  name: 'sessions.touch',
  parameters: { sessionId: 'text', now: 'timestamptz', unlessSince: 'timestamptz' },
  text: `
    UPDATE sessions SET last_seen_at = :now WHERE session_id = :sessionId AND ${LAST_SEEN} <= :unlessSince`,
})

/** Live sessions, oldest first, after a position in (created_at, session_id); null filters match every session. */
export const listSessions = queryMany({
  name: 'sessions.list',
  parameters: {
    origin: 'text?',
    kind: 'text?',
    subject: 'text?',
    now: 'timestamptz',
    staffSeenAfter: 'timestamptz',
    afterAt: 'timestamptz',
    afterId: 'text',
    limit: 'integer',
  },
  text: `
    SELECT ${SHOWN} FROM sessions
    WHERE ${IS_LIVE} AND (:origin IS NULL OR ${ORIGIN} = :origin)
      AND (:kind IS NULL OR (kind = :kind AND subject = :subject))
      AND (created_at, session_id) > (:afterAt, :afterId)
    ORDER BY created_at, session_id LIMIT :limit`,
  row: SessionRecord,
})

const END =
  'UPDATE sessions SET ended_at = :now, end_reason = :reason WHERE ended_at IS NULL AND expires_at > :now'
const ENDING = { now: 'timestamptz', reason: 'text' } as const

export const endSessionByToken = queryMany({
  name: 'sessions.end-by-token',
  parameters: { ...ENDING, tokenHash: 'bytea' },
  text: `${END} AND token_hash = :tokenHash RETURNING ${SHOWN}`,
  row: SessionRecord,
})

/** @param kind, subject null: of any person; origin null: from any */
export const endSessionById = queryMany({
  name: 'sessions.end-by-id',
  parameters: { ...ENDING, sessionId: 'text', kind: 'text?', subject: 'text?', origin: 'text?' },
  text: `
    ${END} AND session_id = :sessionId AND (:kind IS NULL OR (kind = :kind AND subject = :subject))
      AND (:origin IS NULL OR ${ORIGIN} = :origin)
    RETURNING ${SHOWN}`,
  row: SessionRecord,
})

/** Ends the sessions that a key or a person opened, also by links. */
export const endSessionsByOrigin = queryMany({
  name: 'sessions.end-by-origin',
  parameters: { ...ENDING, origin: 'text' },
  text: `${END} AND ${ORIGIN} = :origin RETURNING ${SHOWN}`,
  row: SessionRecord,
})

/** Ends the sessions of a partner's or a merchant's people. */
export const endSessionsOfSubject = queryMany({
  name: 'sessions.end-by-subject',
  parameters: { ...ENDING, kind: 'text', subject: 'text' },
  text: `${END} AND kind = :kind AND subject = :subject RETURNING ${SHOWN}`,
  row: SessionRecord,
})

/** Ends sessions that have expired or been idle for too long, a limited number per call. */
export const endStaleSessions = queryMany({
  name: 'sessions.end-stale',
  parameters: { now: 'timestamptz', staffSeenAfter: 'timestamptz', limit: 'integer' },
  text: `
    UPDATE sessions SET ended_at = :now, end_reason = CASE WHEN expires_at <= :now THEN 'expired' ELSE 'idle' END
    WHERE session_id IN (
      SELECT session_id FROM sessions WHERE ended_at IS NULL AND NOT (${IS_LIVE})
      ORDER BY created_at LIMIT :limit FOR UPDATE SKIP LOCKED
    )
    RETURNING ${SHOWN}, end_reason AS reason`,
  row: SessionRecord.extend({ reason: z.enum(['expired', 'idle']) }),
})

export const purgeSessions = queryNone({
  name: 'sessions.purge',
  parameters: { before: 'timestamptz' },
  text: 'DELETE FROM sessions WHERE expires_at <= :before AND ended_at IS NOT NULL',
})
