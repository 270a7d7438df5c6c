import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, NoBody, text, Timestamp } from '../primitives.ts'
import { StaffRole } from './staff-roles.ts'

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

/** What one member of staff has asked for and a second has to confirm (decisions §14, four eyes). */
export const PendingAction = z.object({
  pending_action_id: idOf('pendingAction'),
  action: z.string().meta({ description: 'The operation, as the audit log names it' }),
  target: z.string().nullable(),
  role: StaffRole.meta({ description: 'Role that whoever confirms has to have' }),
  asked: z.unknown().meta({ description: 'Body of the request, without credentials' }),
  before: z.unknown().meta({ description: 'What would change, as it was when the action was asked for' }),
  request_sha256: z.string().meta({ description: 'SHA-256 of operation, path, body and `before`' }),
  status: PendingActionStatus,
  requested_by: z.string(),
  requested_at: Timestamp,
  expires_at: Timestamp,
  decided_by: z.string().nullable(),
  decided_at: Timestamp.nullable(),
  code: z.string().nullable().meta({ description: 'Why a `failed` action was refused' }),
  has_result: z.boolean().meta({ description: 'Whether who asked has not taken the result yet' }),
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
    summary: 'List actions that wait for a second person, oldest first, or the decided ones, newest first',
    description: 'Use it to see what colleagues have asked for, and what became of it.',
    caller: 'operator',
    query: z.object({
      status: z.enum(['waiting', 'decided']).default('waiting'),
      target: text(128).optional().meta({ description: 'Id of what the action is about' }),
      limit: limitParameter(50, 100),
      cursor: cursorParameter,
    }),
    reply: PendingActionList,
    refusals: ['invalid_cursor'],
  }),
  get: operation({
    operationId: 'getPendingAction',
    summary: 'Read an action that needed a second person',
    description: 'Use it to see exactly what was asked for before you confirm it.',
    caller: 'operator',
    params,
    reply,
    refusals: ['resource_not_found'],
  }),
  confirm: operation({
    operationId: 'confirmPendingAction',
    summary: 'Confirm what a colleague has asked for: it is carried out as it was asked, once',
    description:
      'Use it after checking what was asked for. You need the role of the action and must not be who asked. The status tells whether it is `done`.',
    caller: 'operator',
    params,
    body: NoBody,
    reply,
    refusals: ['resource_not_found', 'insufficient_scope', 'invalid_state'],
  }),
  decline: operation({
    operationId: 'declinePendingAction',
    summary: 'Decline what a colleague has asked for, or withdraw what you have',
    description: 'Use it when it should not happen. It can be asked for again.',
    caller: 'operator',
    params,
    body: NoBody,
    reply,
    refusals: ['resource_not_found', 'insufficient_scope', 'invalid_state'],
  }),
  takeResult: operation({
    operationId: 'takePendingActionResult',
    summary: 'Take the answer of an action that you asked for, such as a new key; it is given once',
    description:
      'Use it once the action is `done`. Nobody else can take the answer, and it is deleted three days after the confirmation.',
    caller: 'operator',
    params,
    body: NoBody,
    reply: z.object({ result: z.unknown() }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
})
