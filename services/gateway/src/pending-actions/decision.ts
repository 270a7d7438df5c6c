import { refuse } from '@causeway/chassis'
import type { CallerOf, PendingActionStatus, Refusal } from '@causeway/contracts'
import { roleAllows } from '../auth/roles.ts'
import { isSamePerson, type Rule } from './rules.ts'
import type { PendingActionRecord } from './store.ts'

type Staff = CallerOf<'operator'>

const lacksRole = ({ role }: PendingActionRecord, caller: Staff): boolean =>
  caller.role === undefined || !roleAllows(caller.role, role)

/** Whether an action may be confirmed: it waits, or its outcome is unknown and a second run changes nothing. */
const isConfirmable = (status: PendingActionStatus, rule: Rule | undefined): boolean =>
  status === 'waiting' || (status === 'unknown' && rule?.isRepeatable === true)

/** Why somebody may not confirm an action; null where they may. @param status what it is now, by the clock too */
export const refusalToConfirm = (
  record: PendingActionRecord,
  rule: Rule | undefined,
  caller: Staff,
  status: PendingActionStatus,
): Refusal<'invalid_state' | 'insufficient_scope'> | null => {
  if (isSamePerson(record.requestedBy, caller.actor))
    return refuse('invalid_state', [{ field: 'requested_by', reason: 'same_person' }])
  if (lacksRole(record, caller)) return refuse('insufficient_scope')
  return isConfirmable(status, rule) ? null : refuse('invalid_state', [{ from: status, to: 'confirmed' }])
}

/** Why somebody may not decline or withdraw an action; null where they may. */
export const refusalToDecline = (
  record: PendingActionRecord,
  caller: Staff,
  status: PendingActionStatus,
): Refusal<'invalid_state' | 'insufficient_scope'> | null => {
  if (lacksRole(record, caller)) return refuse('insufficient_scope')
  return status === 'waiting' ? null : refuse('invalid_state', [{ from: status, to: 'declined' }])
}
