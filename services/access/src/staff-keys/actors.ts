import { OPERATOR_KEY } from '@causeway/chassis'

const STAFF_KEY = 'stk_'

export const isOperatorKey = (actor: string): boolean => actor.startsWith(OPERATOR_KEY)
export const isStaffKey = (actor: string): boolean => actor.startsWith(STAFF_KEY)
/** Somebody that an identity provider vouches for; keys change hands. */
export const isPerson = (actor: string): boolean => actor.startsWith('oidc:')

/**
 * Checks whether two names of the audit log count as one person for four eyes (decisions §14).
 *
 * Each is given as the person behind it: of a staff key its origin, the person at the beginning of the chain of makers.
 * The key of the setting is one person, also after it was changed. It has seen the keys that it made, so it is the same
 * person as each of them; they are different persons to each other, or keys alone could never be two persons.
 */
export const isSamePerson = (one: string, other: string): boolean =>
  one === other ||
  (isOperatorKey(one) && (isOperatorKey(other) || isStaffKey(other))) ||
  (isOperatorKey(other) && isStaffKey(one))
