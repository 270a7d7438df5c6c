import { refuse, reply } from '@causeway/chassis'
import type { CallerOf } from '@causeway/contracts'
import { isOperatorKey, isSamePerson, isStaffKey } from '../auth/actors.ts'
import { roleAllows } from '../auth/roles.ts'
import type { GatewayContext } from '../context.ts'
import type { OperationEndpoint } from '../http/endpoint.ts'
import { findPersonBehind, findStaffKeyRole } from '../staff-keys/store.ts'
import type { CarryOut } from './carry-out.ts'
import { refusalToConfirm, type Standing } from './decision.ts'
import { readPrecondition } from './read-precondition.ts'
import { openRequest, present } from './request.ts'
import { requestHash, ruleOf, type Rule } from './rules.ts'
import { closePendingAction, getPendingAction, type PendingActionRecord } from './store.ts'

type Context = Pick<GatewayContext, 'db' | 'bus' | 'clock' | 'vault' | 'cursors'>
export type ConfirmationOptions = Context &
  Readonly<{
    /** The routes of the operations of staff, by subject. */
    endpoints: ReadonlyMap<string, OperationEndpoint>
    carryOut: CarryOut
    timeoutMs: number
    /** How the audit log names the key of the setting now. */
    operatorActor: string
    /** Whether only people of the identity provider confirm: there is one. */
    onlyPeopleConfirm: boolean
  }>
type Confirmation = Readonly<{ caller: CallerOf<'operator'>; requestId: string }>

const NOT_ANY_MORE = (reason: string) =>
  refuse('invalid_state', [{ from: 'waiting', to: 'confirmed', reason }])

/** Whether who asked may still do it. People of an identity provider cannot be asked about: the role that they had counts. */
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

/** Whether what would change is still as it was when the action was asked for; the owner's refusal where it cannot be read. */
const readChange = async (
  options: ConfirmationOptions,
  record: PendingActionRecord,
  rule: Rule,
  { caller: { actor }, requestId }: Confirmation,
) => {
  const request = openRequest(options.vault, record)
  const identity = { callerJson: JSON.stringify({ kind: 'operator', actor }) }
  const read = await readPrecondition(options, rule, {
    requestId,
    identity,
    paramsJson: request.paramsJson,
  })
  if (!read.ok) return read
  const operation = record.action
  const isSame =
    requestHash({ operation, ...request, before: read.state }) === requestHash({ operation, ...request })
  return { ok: true, hasChanged: !isSame } as const
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
  const rule = ruleOf(action)
  const endpoint = endpoints.get(action)
  const { status } = present(vault, record, clock.now())
  const refusal = refusalToConfirm(record, rule, caller, status, await standingOf(options, record, caller))
  if (refusal !== null) return refusal
  // The version before this one knew the action.
  if (rule === undefined || endpoint === undefined)
    return outdate(options, record, caller.actor, 'unknown_action')
  if (!(await mayStill(options, record))) return outdate(options, record, caller.actor, 'requester_may_not')
  // After a run whose outcome is unknown the state may be the one that was asked for.
  if (record.status === 'waiting') {
    const change = await readChange(options, record, rule, confirmation)
    if (!change.ok)
      return change.code === 'resource_not_found'
        ? outdate(options, record, caller.actor, 'gone')
        : refuse('temporarily_unavailable')
    if (change.hasChanged) return outdate(options, record, caller.actor, 'changed')
  }
  const answer = await carryOut({ record, rule, endpoint, confirmedBy: caller.actor })
  const after = await getPendingAction(db, { pendingActionId })
  if (after === null) return refuse('resource_not_found')
  if (after.status === 'waiting') return refuse('temporarily_unavailable')
  if (after.status === 'outdated') return NOT_ANY_MORE('changed')
  const isMine = after.decidedBy === caller.actor
  if (isMine) return reply(shown(after))
  return answer.ok ? reply(shown(after)) : refuse('invalid_state', [{ from: after.status, to: 'confirmed' }])
}
