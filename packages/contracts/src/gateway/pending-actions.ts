import { z } from 'zod'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, NoBody, text, Timestamp } from '../primitives.ts'
import { StaffName, StaffRole } from './staff-roles.ts'

/** Variant of the reply to an action that waits for a second person: 202 instead of the route's status. */
export const HELD = 'held'

/**
 * `waiting` for a second person; `confirmed` and being carried out; `done`; `failed`, refused with `code` when it was
 * carried out; `unknown`, because nobody knows whether it was; `declined` by a second person; `withdrawn` by the first;
 * `outdated`, because what it is about has changed, or who asked may no longer; `expired`.
 */
export const PENDING_ACTION_STATUSES = [
  'waiting',
  'confirmed',
  'done',
  'failed',
  'unknown',
  'declined',
  'withdrawn',
  'outdated',
  'expired',
] as const
export const PendingActionStatus = z.enum(PENDING_ACTION_STATUSES)
export type PendingActionStatus = z.infer<typeof PendingActionStatus>

/** An action that one member of staff requested and a second one must confirm (decisions §14, four eyes). */
export const PendingAction = z.object({
  pending_action_id: idOf('pendingAction'),
  action: z.string().meta({ description: 'The operation, as the audit log names it' }),
  target: z.string().nullable(),
  role: StaffRole.meta({ description: 'Role that the confirming person needs' }),
  asked: z.unknown().meta({ description: 'Body of the request, without credentials' }),
  before: z.unknown().meta({ description: 'State before the change, at the time of the request' }),
  request_sha256: z.string().meta({ description: 'SHA-256 of operation, path, body and `before`' }),
  status: PendingActionStatus,
  requested_by: z.string(),
  requested_by_name: StaffName,
  requested_at: Timestamp,
  expires_at: Timestamp,
  decided_by: z.string().nullable(),
  decided_by_name: StaffName,
  decided_at: Timestamp.nullable(),
  code: z.string().nullable().meta({ description: 'Why the action `failed`' }),
  has_result: z.boolean().meta({ description: 'True while the requester can still claim the result' }),
})
export type PendingAction = z.infer<typeof PendingAction>

export const PendingActionList = z.object({
  pending_actions: z.array(PendingAction),
  next_cursor: NextCursor,
})

const params = z.object({ pendingActionId: idOf('pendingAction') })
const reply = z.object({ pending_action: PendingAction })

/** `gateway.pending-actions`: actions of staff that need two persons (decisions §14, four eyes). */
export const pendingActions = resource('gateway.pending-actions', {
  list: operation({
    operationId: 'listPendingActions',
    http: get('/pending-actions'),
    role: 'viewer',
    tag: 'Keys and audit',
    summary: 'List actions that await a second person, oldest first, or decided ones, newest first',
    description: 'Use it to see what colleagues requested, and the outcome.',
    caller: 'operator',
    query: z.object({
      status: z.enum(['waiting', 'decided']).default('waiting'),
      target: text(128).optional().meta({ description: 'Id of the action’s target' }),
      limit: limitParameter(50, 100),
      cursor: cursorParameter,
    }),
    reply: PendingActionList,
    refusals: ['invalid_cursor'],
  }),
  get: operation({
    operationId: 'getPendingAction',
    http: get('/pending-actions/:pendingActionId'),
    role: 'viewer',
    tag: 'Keys and audit',
    summary: 'Get an action that needs a second person',
    description: 'Use it to check an action before you confirm it.',
    caller: 'operator',
    params,
    reply,
    refusals: ['resource_not_found'],
  }),
  confirm: operation({
    operationId: 'confirmPendingAction',
    http: post('/pending-actions/:pendingActionId/confirm'),
    role: 'viewer',
    tag: 'Keys and audit',
    summary: 'Confirm an action of a colleague; it runs once, exactly as requested',
    description:
      'Use it after checking the action. You need its role and must not be the requester. `status` says whether it is `done`.',
    caller: 'operator',
    params,
    body: NoBody,
    reply,
    refusals: ['resource_not_found', 'insufficient_scope', 'invalid_state'],
    /** It asks the owner for the state, then to carry the action out, and has a refund approved. */
    waitsMs: 40_000,
  }),
  decline: operation({
    operationId: 'declinePendingAction',
    http: post('/pending-actions/:pendingActionId/decline'),
    role: 'viewer',
    tag: 'Keys and audit',
    summary: 'Decline a colleague’s action, or withdraw your own',
    description: 'Use it when the action must not run. It can be requested again.',
    caller: 'operator',
    params,
    body: NoBody,
    reply,
    refusals: ['resource_not_found', 'insufficient_scope', 'invalid_state'],
  }),
  takeResult: operation({
    operationId: 'takePendingActionResult',
    http: post('/pending-actions/:pendingActionId/result'),
    role: 'viewer',
    tag: 'Keys and audit',
    summary: 'Claim the result of your action, such as a new key; it is returned once',
    description:
      'Use it once the action is `done`. Only the requester can claim the result. It is deleted three days after the confirmation.',
    caller: 'operator',
    params,
    body: NoBody,
    reply: z.object({ result: z.unknown() }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
})
