import { refuse } from '@causeway/chassis'
import type { CallerOf, PendingActionStatus, Refusal } from '@causeway/contracts'
import { isPerson } from '../auth/actors.ts'
import { roleAllows } from '../auth/roles.ts'
import type { Rule } from './rules.ts'
import type { PendingActionRecord } from './store.ts'

type Staff = CallerOf<'operator'>

const lacksRole = ({ role }: PendingActionRecord, caller: Staff): boolean =>
  caller.role === undefined || !roleAllows(caller.role, role)

/** Whether an action may be confirmed: it waits, or its outcome is unknown and a second run changes nothing. */
const isConfirmable = (status: PendingActionStatus, rule: Rule | undefined): boolean =>
  status === 'waiting' || (status === 'unknown' && rule?.isRepeatable === true)

/** How who decides stands to who asked. */
export type Standing = Readonly<{
  /** Whether both are one person for four eyes. */
  isSame: boolean
  /** Whether only people of an identity provider confirm: there is one. */
  onlyPeople: boolean
}>

/** Why somebody may not confirm an action; null where they may. @param status what it is now, by the clock too */
export const refusalToConfirm = (
  record: PendingActionRecord,
  rule: Rule | undefined,
  caller: Staff,
  status: PendingActionStatus,
  { isSame, onlyPeople }: Standing,
): Refusal<'invalid_state' | 'insufficient_scope'> | null => {
  if (isSame) return refuse('invalid_state', [{ field: 'requested_by', reason: 'same_person' }])
  if (lacksRole(record, caller)) return refuse('insufficient_scope')
  if (onlyPeople && !isPerson(caller.actor))
    return refuse('invalid_state', [{ field: 'decided_by', reason: 'not_a_person' }])
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
