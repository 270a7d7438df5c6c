import type { DomainEvent, PartnerEventType } from '@causeway/contracts'
import { changedCapabilities } from './capabilities.ts'
import { stateOf, type Relationship } from './relationship.ts'

/** An event without the id and the time that it gets when it is emitted. */
export type EventDraft = Omit<DomainEvent, 'id' | 'created_at'>

/** The event from which other services update their projections; it goes to no partner. */
const relationshipChanged = (relationship: Relationship): EventDraft => ({
  name: 'relationship.changed',
  partners: [],
  merchant: null,
  fact: { kind: 'relationship', relationship: stateOf(relationship) },
})

/** An event for the partner of one relationship. Callers emit it only while the relationship is active. */
export const partnerEvent = (
  relationship: Relationship,
  type: PartnerEventType,
  data: Readonly<Record<string, unknown>>,
): EventDraft => {
  const { partnerId: partner_id, partnerCustomerId: partner_customer_id } = relationship
  const notice = { partner_id, partner_customer_id, type, data: { partner_customer_id, ...data } }
  return { name: type, partners: [notice], merchant: null, fact: null }
}

/**
 * The events of a relationship's change: the projection's event always; for its partner, while the relationship is
 * active, the new status and each capability that differs (decisions §3, "Events"). Identifiers and status only.
 * @param before null for a new relationship, which its partner has from the reply already
 */
export const changeEvents = (before: Relationship | null, after: Relationship): EventDraft[] => {
  const changed = relationshipChanged(after)
  if (before === null || after.status !== 'active') return [changed]
  const data = { customer_id: after.merchantId, relationship_status: after.status }
  const status = before.status === after.status ? [] : [partnerEvent(after, 'customer.updated', data)]
  const capabilities = changedCapabilities(before, after).map((capability) =>
    partnerEvent(after, 'capability.updated', capability),
  )
  return [changed, ...status, ...capabilities]
}
