import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { ERRORS, PendingActionStatus, StaffRole, type ErrorCode } from '@causeway/contracts'
import { z } from 'zod'

/** An action that waits for a second person, or waited for one. */
const PendingActionRecord = z.object({
  pendingActionId: z.string(),
  action: z.string(),
  target: z.string().nullable(),
  role: StaffRole,
  requestSealed: z.string(),
  requestSha256: z.string(),
  status: PendingActionStatus,
  requestedBy: z.string(),
  requestedByName: z.string().nullable(),
  requestedRole: StaffRole,
  requestedAt: z.date(),
  expiresAt: z.date(),
  decidedBy: z.string().nullable(),
  decidedByName: z.string().nullable(),
  decidedAt: z.date().nullable(),
  executionId: z.string().nullable(),
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).nullable(),
  hasResult: z.boolean(),
})
export type PendingActionRecord = z.infer<typeof PendingActionRecord>

const SHOWN = `
  pending_action_id, action, target, role, request_sealed, request_sha256, status, requested_by, requested_role,
  requested_at, expires_at, decided_by, decided_at, execution_id, code, result_sealed IS NOT NULL AS has_result,
  (SELECT k.name FROM staff_keys k WHERE k.staff_key_id = requested_by) AS requested_by_name,
  (SELECT k.name FROM staff_keys k WHERE k.staff_key_id = decided_by) AS decided_by_name`

/** Ends the same request of the same person if its time is over, so that it can be made again. */
export const expireSameRequest = queryNone({
  name: 'pending-actions.expire-same',
  parameters: { requestedBy: 'text', requestSha256: 'text', now: 'timestamptz' },
  text: `
    UPDATE pending_actions SET status = 'expired'
    WHERE requested_by = :requestedBy AND request_sha256 = :requestSha256 AND status = 'waiting'
      AND expires_at <= :now`,
})

/** Adds an action that waits; no row where the same request of the same person waits already. */
export const insertPendingAction = queryOne({
  name: 'pending-actions.insert',
  parameters: {
    pendingActionId: 'text',
    action: 'text',
    target: 'text?',
    role: 'text',
    requestSealed: 'text',
    requestSha256: 'text',
    requestedBy: 'text',
    requestedRole: 'text',
    now: 'timestamptz',
    expiresAt: 'timestamptz',
  },
  text: `
    INSERT INTO pending_actions (pending_action_id, action, target, role, request_sealed, request_sha256, status,
      requested_by, requested_role, requested_at, expires_at)
    VALUES (:pendingActionId, :action, :target, :role, :requestSealed, :requestSha256, 'waiting',
      :requestedBy, :requestedRole, :now, :expiresAt)
    ON CONFLICT (requested_by, request_sha256) WHERE status = 'waiting' DO NOTHING
    RETURNING ${SHOWN}`,
  row: PendingActionRecord,
})

/** The action that waits for the same request of the same person. */
export const findSameRequest = queryOne({
  name: 'pending-actions.find-same',
  parameters: { requestedBy: 'text', requestSha256: 'text' },
  text: `
    SELECT ${SHOWN} FROM pending_actions
    WHERE requested_by = :requestedBy AND request_sha256 = :requestSha256 AND status = 'waiting'`,
  row: PendingActionRecord,
})

export const getPendingAction = queryOne({
  name: 'pending-actions.get',
  parameters: { pendingActionId: 'text' },
  text: `SELECT ${SHOWN} FROM pending_actions WHERE pending_action_id = :pendingActionId`,
  row: PendingActionRecord,
})

/** Actions that wait, oldest first, after a position. */
export const listWaiting = queryMany({
  name: 'pending-actions.list-waiting',
  parameters: { now: 'timestamptz', afterAt: 'timestamptz', afterId: 'text', limit: 'integer' },
  text: `
    SELECT ${SHOWN} FROM pending_actions
    WHERE status = 'waiting' AND expires_at > :now
      AND (requested_at, pending_action_id) > (:afterAt, :afterId)
    ORDER BY requested_at, pending_action_id LIMIT :limit`,
  row: PendingActionRecord,
})

/** As {@link listWaiting}, about one target. */
export const listWaitingOfTarget = queryMany({
  name: 'pending-actions.list-waiting-of-target',
  parameters: {
    target: 'text',
    now: 'timestamptz',
    afterAt: 'timestamptz',
    afterId: 'text',
    limit: 'integer',
  },
  text: `
    SELECT ${SHOWN} FROM pending_actions
    WHERE status = 'waiting' AND target = :target AND expires_at > :now
      AND (requested_at, pending_action_id) > (:afterAt, :afterId)
    ORDER BY requested_at, pending_action_id LIMIT :limit`,
  row: PendingActionRecord,
})

/** Actions that wait no more, newest first, before a position; one whose time is over counts once it is purged as such. */
export const listDecided = queryMany({
  name: 'pending-actions.list-decided',
  parameters: { afterAt: 'timestamptz', afterId: 'text', limit: 'integer' },
  text: `
    SELECT ${SHOWN} FROM pending_actions
    WHERE status <> 'waiting' AND (requested_at, pending_action_id) < (:afterAt, :afterId)
    ORDER BY requested_at DESC, pending_action_id DESC LIMIT :limit`,
  row: PendingActionRecord,
})

/** As {@link listDecided}, about one target. */
export const listDecidedOfTarget = queryMany({
  name: 'pending-actions.list-decided-of-target',
  parameters: { target: 'text', afterAt: 'timestamptz', afterId: 'text', limit: 'integer' },
  text: `
    SELECT ${SHOWN} FROM pending_actions
    WHERE status <> 'waiting' AND target = :target AND (requested_at, pending_action_id) < (:afterAt, :afterId)
    ORDER BY requested_at DESC, pending_action_id DESC LIMIT :limit`,
  row: PendingActionRecord,
})

/**
 * Confirms an action for the first caller: one that is waiting, or one whose outcome has been unknown since `lapsed` and that
 * may run again (`isRepeatable`). Locks the row.
 */
export const claimPendingAction = queryOne({
  name: 'pending-actions.claim',
  parameters: {
    pendingActionId: 'text',
    decidedBy: 'text',
    executionId: 'text',
    now: 'timestamptz',
    isRepeatable: 'boolean',
    lapsed: 'timestamptz',
  },
  text: `
    UPDATE pending_actions
    SET status = 'confirmed', decided_by = :decidedBy, decided_at = :now, execution_id = :executionId
    WHERE pending_action_id = :pendingActionId
      AND (status = 'waiting' AND expires_at > :now
        OR :isRepeatable AND (status = 'unknown' OR status = 'confirmed' AND decided_at <= :lapsed))
    RETURNING ${SHOWN}`,
  row: PendingActionRecord,
})

/** Records how a confirmed action ended; `executionId` is a fencing token against a slow earlier run. */
export const endPendingAction = queryOne({
  name: 'pending-actions.end',
  parameters: {
    pendingActionId: 'text',
    executionId: 'text',
    status: 'text',
    code: 'text?',
    resultSealed: 'text?',
  },
  text: `
    UPDATE pending_actions SET status = :status, code = :code, result_sealed = :resultSealed
    WHERE pending_action_id = :pendingActionId AND execution_id = :executionId AND status = 'confirmed'
    RETURNING ${SHOWN}`,
  row: PendingActionRecord,
})

/** Lets a confirmed action wait again, of which provably nothing was done. */
export const releasePendingAction = queryNone({
  name: 'pending-actions.release',
  parameters: { pendingActionId: 'text', executionId: 'text' },
  text: `
    UPDATE pending_actions SET status = 'waiting', decided_by = NULL, decided_at = NULL, execution_id = NULL
    WHERE pending_action_id = :pendingActionId AND execution_id = :executionId AND status = 'confirmed'`,
})

/** Closes a waiting action for the first caller. */
export const closePendingAction = queryOne({
  name: 'pending-actions.close',
  parameters: { pendingActionId: 'text', status: 'text', decidedBy: 'text', now: 'timestamptz' },
  text: `
    UPDATE pending_actions SET status = :status, decided_by = :decidedBy, decided_at = :now
    WHERE pending_action_id = :pendingActionId AND status = 'waiting' AND expires_at > :now
    RETURNING ${SHOWN}`,
  row: PendingActionRecord,
})

/** Takes the result, once, for the person who asked. */
export const takeResult = queryOne({
  name: 'pending-actions.take-result',
  parameters: { pendingActionId: 'text', requestedBy: 'text' },
  text: `
    WITH found AS (
      SELECT pending_action_id, result_sealed FROM pending_actions
      WHERE pending_action_id = :pendingActionId AND requested_by = :requestedBy AND result_sealed IS NOT NULL
      FOR UPDATE
    )
    UPDATE pending_actions SET result_sealed = NULL FROM found
    WHERE pending_actions.pending_action_id = found.pending_action_id
    RETURNING found.result_sealed`,
  row: z.object({ resultSealed: z.string() }),
})

/** Ends what has waited too long, and deletes results that nobody took. */
export const expirePendingActions = queryNone({
  name: 'pending-actions.expire',
  parameters: { now: 'timestamptz', resultsBefore: 'timestamptz' },
  text: `
    UPDATE pending_actions
    SET status = CASE status WHEN 'waiting' THEN 'expired' ELSE status END, result_sealed = NULL
    WHERE expires_at <= :now
      AND (status = 'waiting' OR result_sealed IS NOT NULL AND decided_at <= :resultsBefore)`,
})

export const purgePendingActions = queryNone({
  name: 'pending-actions.purge',
  parameters: { before: 'timestamptz' },
  text: 'DELETE FROM pending_actions WHERE expires_at <= :before',
})
