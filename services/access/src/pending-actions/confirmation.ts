import { isDeepStrictEqual } from 'node:util'
import { refuse, reply } from '@causeway/chassis'
import { roleAllows, type CallerOf, type Operation } from '@causeway/contracts'
import { isOperatorKey, isSamePerson, isStaffKey } from '../staff-keys/actors.ts'
import type { AccessContext } from '../context.ts'
import { findPersonBehind, findStaffKeyRole } from '../staff-keys/store.ts'
import { isOpen, type CarryOut } from './carry-out.ts'
import { refusalToConfirm, type Standing } from './decision.ts'
import { prepare, type Ask } from './preparation.ts'
import { openRequest, present } from './request.ts'
import type { StaffCall } from './staff-call.ts'
import { closePendingAction, getPendingAction, type PendingActionRecord } from './store.ts'

type Context = Pick<AccessContext, 'db' | 'clock' | 'vault' | 'cursors'>
export type ConfirmationOptions = Context &
  Readonly<{
    /** The routes of the operations of staff, by subject. */
    endpoints: ReadonlyMap<string, StaffCall['endpoint']>
    carryOut: CarryOut
    ask: Ask
    timeoutMs: number
    /** How the audit log names the key of the setting now. */
    operatorActor: string
    /** True with an identity provider: only its people may then confirm. */
    onlyPeopleConfirm: boolean
    /** Checks whether an operation may run again after a run with an unknown outcome. */
    isRepeatable: (operation: Operation) => boolean
  }>
type Confirmation = Readonly<{ caller: CallerOf<'operator'>; requestId: string }>

const NOT_ANY_MORE = (reason: string) =>
  refuse('invalid_state', [{ from: 'waiting', to: 'confirmed', reason }])

/** Checks whether the requester may still do it. The current role of an identity provider's people is unknown: their former role counts. */
const mayStill = async (
  { db, operatorActor }: ConfirmationOptions,
  { requestedBy, requestedRole, role }: PendingActionRecord,
): Promise<boolean> => {
  if (isOperatorKey(requestedBy)) return requestedBy === operatorActor
  if (!isStaffKey(requestedBy)) return roleAllows(requestedRole, role)
  const key = await findStaffKeyRole(db, { staffKeyId: requestedBy })
  return key !== null && roleAllows(key.role, role)
}

const standingOf = async (
  { db, onlyPeopleConfirm: onlyPeople }: ConfirmationOptions,
  { requestedBy }: PendingActionRecord,
  { actor }: CallerOf<'operator'>,
): Promise<Standing> => {
  const requester = await findPersonBehind(db, requestedBy)
  return { isSame: isSamePerson(requester, await findPersonBehind(db, actor)), onlyPeople }
}

/**
 * Why what would change is not as it was when the action was asked for: it has `changed`, so that the owner would refuse
 * the action too, or is `gone`; null where it is as it was, undefined where that cannot be read now.
 */
const readChange = async (
  options: ConfirmationOptions,
  record: PendingActionRecord,
  operation: Operation,
  { caller: { actor }, requestId }: Confirmation,
) => {
  const { before, ...request } = openRequest(options.vault, record)
  const callerJson = JSON.stringify({ kind: 'operator', actor })
  const prepared = await prepare(options, operation, { ...request, requestId, callerJson })
  if (prepared.ok) return isDeepStrictEqual(prepared.before, before ?? null) ? null : 'changed'
  if (isOpen(prepared)) return undefined
  return prepared.code === 'resource_not_found' ? 'gone' : 'changed'
}

const outdate = async (
  { db, clock }: ConfirmationOptions,
  { pendingActionId }: PendingActionRecord,
  decidedBy: string,
  reason: string,
) => {
  await closePendingAction(db, { pendingActionId, status: 'outdated', decidedBy, now: clock.now() })
  return NOT_ANY_MORE(reason)
}

/** Carries out what was asked for, once, where the second person may confirm it and nothing of it has changed. */
export const confirm = async (
  options: ConfirmationOptions,
  record: PendingActionRecord,
  confirmation: Confirmation,
) => {
  const { db, clock, vault, endpoints, carryOut } = options
  const shown = (after: PendingActionRecord) => ({ pending_action: present(vault, after, clock.now()) })
  const { pendingActionId, action } = record
  const { caller } = confirmation
  const endpoint = endpoints.get(action)
  const operation = endpoint?.route.operation
  const isRepeatable = operation !== undefined && options.isRepeatable(operation)
  const { status } = present(vault, record, clock.now())
  const refusal = refusalToConfirm(
    record,
    isRepeatable,
    caller,
    status,
    await standingOf(options, record, caller),
  )
  if (refusal !== null) return refusal
  // The version before this one knew the action.
  if (endpoint === undefined || operation === undefined || operation.fourEyes.length === 0)
    return outdate(options, record, caller.actor, 'unknown_action')
  if (!(await mayStill(options, record))) return outdate(options, record, caller.actor, 'requester_may_not')
  // After a run whose outcome is unknown the state may be the one that was asked for.
  if (record.status === 'waiting') {
    const change = await readChange(options, record, operation, confirmation)
    if (change === undefined) return refuse('temporarily_unavailable')
    if (change !== null) return outdate(options, record, caller.actor, change)
  }
  const answer = await carryOut({ record, endpoint, confirmedBy: caller.actor, isRepeatable })
  const after = await getPendingAction(db, { pendingActionId })
  if (after === null) return refuse('resource_not_found')
  if (after.status === 'waiting') return refuse('temporarily_unavailable')
  if (after.status === 'outdated') return NOT_ANY_MORE('changed')
  const isMine = after.decidedBy === caller.actor
  if (isMine) return reply(shown(after))
  return answer.ok ? reply(shown(after)) : refuse('invalid_state', [{ from: after.status, to: 'confirmed' }])
}
