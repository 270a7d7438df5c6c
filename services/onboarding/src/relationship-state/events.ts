import type { EventName, EventOf, PartnerData, PartnerEventType } from '@causeway/contracts'
import { changedCapabilities } from './capabilities.ts'
import { stateOf, type Relationship } from './relationship.ts'

/** An event without the id and the time that it gets when it is emitted. */
export type EventDraft<N extends EventName = EventName> = N extends EventName
  ? Omit<EventOf<N>, 'id' | 'created_at'>
  : never

/** The event from which other services update their projections; it goes to no partner. */
const relationshipChanged = (relationship: Relationship): EventDraft<'relationship.changed'> => ({
  name: 'relationship.changed',
  partners: [],
  merchant: null,
  fact: { kind: 'relationship', relationship: stateOf(relationship) },
})

/** An event for the partner of one relationship. Callers emit it only while the relationship is active, or to announce its end. */
export const partnerEvent = <N extends PartnerEventType>(
  relationship: Relationship,
  name: N,
  data: Omit<PartnerData<N>, 'partner_customer_id'>,
): EventDraft<N> => {
  const { partnerId: partner_id, partnerCustomerId: partner_customer_id } = relationship
  // The compiler cannot see that `data` is whole again.
  const whole = { partner_customer_id, ...data } as unknown as PartnerData<N>
  const copy = { partner_id, partner_customer_id, type: name, data: whole }
  return { name, partners: [copy], merchant: null, fact: null } as unknown as EventDraft<N>
}

/**
 * The events of a relationship's change: the projection's event always; for its partner the new status, a revocation
 * included, and, while the relationship is active, each capability that differs (decisions §3, "Events"). Identifiers
 * and status only.
 * @param before null for a new relationship, which its partner has from the reply already
 */
export const changeEvents = (before: Relationship | null, after: Relationship): EventDraft[] => {
  const changed = relationshipChanged(after)
  if (before === null) return [changed]
  const data = { customer_id: after.merchantId, relationship_status: after.status }
  const status = before.status === after.status ? [] : [partnerEvent(after, 'customer.updated', data)]
  if (after.status !== 'active') return [changed, ...status]
  const capabilities = changedCapabilities(before, after).map((capability) =>
    partnerEvent(after, 'capability.updated', capability),
  )
  return [changed, ...status, ...capabilities]
}
