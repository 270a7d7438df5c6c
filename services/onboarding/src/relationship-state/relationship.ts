import { refuse } from '@causeway/chassis'
import type { CapabilityName, Refusal, RelationshipState } from '@causeway/contracts'
import { capabilitiesOf } from './capabilities.ts'
import type { MerchantVerification } from '../verifications/case.ts'

/** A relationship with all that its capabilities are derived from. */
export type Relationship = Readonly<{
  partner_customer_id: string
  partner_id: string
  customer_id: string
  status: RelationshipStatus
  granted: readonly CapabilityName[]
  /** False while it waits for confirmation that the merchant is another partner's, too (decisions §18). */
  link_confirmed: boolean
  suspended: readonly CapabilityName[]
  verification: MerchantVerification
  agreement_required: boolean
  disputes_over: boolean
  version: number
}>

export type RelationshipStatus = RelationshipState['status']

/** Staff move a relationship between its two statuses; to stay is no move (decisions §14). */
export const moveTo = (
  relationship: Relationship,
  to: RelationshipStatus,
): Readonly<{ ok: true; value: Relationship }> | Refusal<'invalid_state'> =>
  relationship.status === to
    ? refuse('invalid_state', [{ from: relationship.status, to }])
    : { ok: true, value: { ...relationship, status: to } }

/** Confirming happens once; there is no way back. */
export const judgeConfirmation = (relationship: Relationship): Refusal<'invalid_state'> | null =>
  relationship.link_confirmed ? refuse('invalid_state', [{ from: 'confirmed', to: 'confirmed' }]) : null

/** What other services project of it. */
export const stateOf = (relationship: Relationship): RelationshipState => ({
  partner_customer_id: relationship.partner_customer_id,
  partner_id: relationship.partner_id,
  customer_id: relationship.customer_id,
  status: relationship.status,
  capabilities: capabilitiesOf(relationship),
  version: relationship.version,
})
