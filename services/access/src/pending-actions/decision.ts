import { refuse } from '@causeway/chassis'
import { roleAllows, type CallerOf, type PendingActionStatus, type Refusal } from '@causeway/contracts'
import { isPerson } from '../staff-keys/actors.ts'
import type { PendingActionRecord } from './store.ts'

type Staff = CallerOf<'operator'>

const lacksRole = ({ role }: PendingActionRecord, caller: Staff): boolean =>
  caller.role === undefined || !roleAllows(caller.role, role)

/** Checks whether an action may be confirmed: it is waiting, or its outcome is unknown and a second run changes nothing. */
const isConfirmable = (status: PendingActionStatus, isRepeatable: boolean): boolean =>
  status === 'waiting' || (status === 'unknown' && isRepeatable)

/** Relation of the person who decides to the requester. */
export type Standing = Readonly<{
  /** True if both are one person for four eyes. */
  isSame: boolean
  /** True with an identity provider: only its people may then confirm. */
  onlyPeople: boolean
}>

/** Why somebody may not confirm an action; null where they may. @param status what it is now, by the clock too */
export const refusalToConfirm = (
  record: PendingActionRecord,
  isRepeatable: boolean,
  caller: Staff,
  status: PendingActionStatus,
  { isSame, onlyPeople }: Standing,
): Refusal<'invalid_state' | 'insufficient_scope'> | null => {
  if (isSame) return refuse('invalid_state', [{ field: 'requested_by', reason: 'same_person' }])
  if (lacksRole(record, caller)) return refuse('insufficient_scope')
  if (onlyPeople && !isPerson(caller.actor))
    return refuse('invalid_state', [{ field: 'decided_by', reason: 'not_a_person' }])
  return isConfirmable(status, isRepeatable)
    ? null
    : refuse('invalid_state', [{ from: status, to: 'confirmed' }])
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
