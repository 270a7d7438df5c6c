import type { DomainEvent, PartnerEventType } from '@causeway/contracts'
import { changedCapabilities } from './capabilities.ts'
import { stateOf, type Relationship } from './relationship.ts'

/** An event that has yet to be given its id and its time. */
export type EventDraft = Omit<DomainEvent, 'id' | 'created_at'>

/** The fact from which other services keep their copies; it goes to no partner. */
const relationshipChanged = (relationship: Relationship): EventDraft => ({
  name: 'relationship.changed',
  partners: [],
  merchant: null,
  fact: { kind: 'relationship', relationship: stateOf(relationship) },
})

/** What one relationship's partner is told. Callers tell it only while the relationship is active. */
export const noticeTo = (
  relationship: Relationship,
  type: PartnerEventType,
  data: Readonly<Record<string, unknown>>,
): EventDraft => ({
  name: type,
  partners: [
    {
      partner_id: relationship.partner_id,
      partner_customer_id: relationship.partner_customer_id,
      type,
      data: { partner_customer_id: relationship.partner_customer_id, ...data },
    },
  ],
  merchant: null,
  fact: null,
})

/**
 * What is told of a relationship's change: always the fact, and to its partner, while the relationship is active,
 * the new status and each capability that reads differently (decisions §3, "Events"). Identifiers and status only.
 * @param before null when the relationship is new, of which its partner has the answer already
 */
export const announcementsOf = (before: Relationship | null, after: Relationship): EventDraft[] => {
  const fact = relationshipChanged(after)
  if (before === null || after.status !== 'active') return [fact]
  const moved =
    before.status === after.status
      ? []
      : [
          noticeTo(after, 'customer.updated', {
            customer_id: after.customer_id,
            relationship_status: after.status,
          }),
        ]
  const changed = changedCapabilities(before, after).map((capability) =>
    noticeTo(after, 'capability.updated', capability),
  )
  return [fact, ...moved, ...changed]
}
