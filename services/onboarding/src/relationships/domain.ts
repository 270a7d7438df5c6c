import { refuse } from '@causeway/chassis'
import type { Refusal, RelationshipStatus } from '@causeway/contracts'
import type { Relationship } from '../relationship-state/relationship.ts'

/** Staff may change the status to the other one only (decisions §14). */
export const checkStatusChange = (
  relationship: Relationship,
  to: RelationshipStatus,
): Refusal<'invalid_state'> | null =>
  relationship.status === to ? refuse('invalid_state', [{ from: relationship.status, to }]) : null

/** A link is confirmed once and stays confirmed. */
export const checkConfirmation = (relationship: Relationship): Refusal<'invalid_state'> | null =>
  relationship.linkConfirmed ? refuse('invalid_state', [{ from: 'confirmed', to: 'confirmed' }]) : null
