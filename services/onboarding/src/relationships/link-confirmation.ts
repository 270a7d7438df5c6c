import { refuse, reply, type Transaction } from '@causeway/chassis'
import { emitChange } from '../relationship-state/changes.ts'
import { lockRelationship } from '../relationship-state/access.ts'
import type { Relationship } from '../relationship-state/relationship.ts'
import * as relationshipStore from '../relationship-state/store.ts'
import { emitRequirement } from '../requirements/raising.ts'
import * as requirementStore from '../requirements/store.ts'
import { incrementVersion } from '../relationship-state/case-version-store.ts'
import * as verificationStore from '../verifications/store.ts'
import * as submissionStore from '../verifications/submission-store.ts'
import { checkConfirmation } from './domain.ts'

/** Adds the relationship's submission to the merchant's case, or makes it the case if the merchant has none. */
const joinCase = async (tx: Transaction, relationship: Relationship, now: Date): Promise<void> => {
  const { partnerId, partnerCustomerId, merchantId } = relationship
  const draft = await submissionStore.getUnjoined(tx, { partnerId, partnerCustomerId })
  if (!draft) return
  const joined =
    (await verificationStore.getProgress(tx, { merchantId })) ??
    (await verificationStore.insert(tx, { verificationId: draft.heldId, merchantId, now }))
  if (!joined) throw new Error('A case was not stored')
  const { verificationId } = joined
  await submissionStore.joinCase(tx, { partnerId, partnerCustomerId, verificationId })
  await incrementVersion(tx, { merchantId, editedAt: now })
}

/** Emits the relationship's open requirements to the merchant's other partners, who see them from now on. */
const shareRequirements = async (tx: Transaction, confirmed: Relationship, now: Date): Promise<void> => {
  const { partnerId, merchantId, partnerCustomerId } = confirmed
  const open = await requirementStore.listOpenOfRaiser(tx, { merchantId, raisedBy: partnerId })
  const relationships = await relationshipStore.listOfMerchant(tx, { merchantId })
  const others = relationships.filter((other) => other.partnerCustomerId !== partnerCustomerId)
  for (const row of open) emitRequirement(tx, 'requirement.created', row, others, now)
}

/**
 * Confirms that a relationship's merchant is the one that another partner had linked before (decisions §18): from now
 * on it shares the merchant's case, and what its partner has written counts.
 */
export const confirmLink = async (tx: Transaction, partnerCustomerId: string, now: Date) => {
  const before = await lockRelationship(tx, partnerCustomerId)
  if (!before) return refuse('resource_not_found')
  const refusal = checkConfirmation(before)
  if (refusal) return refusal
  const after = await relationshipStore.confirmLink(tx, { partnerCustomerId })
  if (!after) throw new Error('A locked merchant has no row of its relationship')
  await joinCase(tx, after, now)
  await shareRequirements(tx, after, now)
  emitChange(tx, before, after, now)
  return reply(after)
}
