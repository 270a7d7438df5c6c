import type { PartnerEventType } from '@causeway/contracts'
import { partnerEvent, type EventDraft } from '../relationship-state/events.ts'
import type { Relationship } from '../relationship-state/relationship.ts'
import { presentRequirement } from './presentation.ts'
import type { RequirementRow } from './store.ts'

export type RequirementEventType = Extract<PartnerEventType, `requirement.${string}`>

/**
 * Returns an event for every active relationship of the merchant, each from its own side (decisions §8). Under an
 * unconfirmed link a partner receives events of its requirements only, and no other partner receives those (decisions §18).
 * @param relationships all of the merchant's
 */
export const requirementEvents = (
  type: RequirementEventType,
  row: RequirementRow,
  relationships: readonly Relationship[],
): EventDraft<RequirementEventType>[] => {
  const raiser = relationships.find((relationship) => relationship.partnerId === row.raisedBy)
  const isShared = raiser?.linkConfirmed ?? true
  return relationships
    .filter((relationship) => relationship.status === 'active')
    .filter((relationship) => relationship === raiser || (isShared && relationship.linkConfirmed))
    .map((relationship) => partnerEvent(relationship, type, presentRequirement(row, relationship.partnerId)))
}
