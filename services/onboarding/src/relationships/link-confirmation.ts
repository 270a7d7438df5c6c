import { refuse, reply, type Transaction } from '@causeway/chassis'
import { judgeConfirmation, type Relationship } from '../relationship-state/relationship.ts'
import * as store from '../relationship-state/store.ts'
import * as requirementStore from '../requirements/store.ts'
import * as submissionStore from '../verifications/submission-store.ts'
import * as verificationStore from '../verifications/store.ts'
import { announce } from '../relationship-state/emit.ts'
import { holdRelationship } from '../relationship-state/lock.ts'
import { tellOf } from '../requirements/raising.ts'

/** What the relationship has written joins the merchant's case, or becomes it where there is none. */
const joinCase = async (tx: Transaction, relationship: Relationship, now: Date): Promise<void> => {
  const { partner_id, partner_customer_id, customer_id } = relationship
  const key = [partner_id, partner_customer_id]
  const [held] = await tx.query(submissionStore.readHeld, key)
  if (!held) return
  const [known] = await tx.query(verificationStore.readProgress, [customer_id])
  const [joined] = known
    ? [known]
    : await tx.query(verificationStore.insert, [held.held_id, customer_id, now])
  if (!joined) throw new Error('A case was not stored')
  await tx.query(submissionStore.joinCase, [...key, joined.verification_id])
}

/** What the relationship has open becomes the merchant's: its other partners are told. */
const shareRequirements = async (tx: Transaction, confirmed: Relationship, now: Date): Promise<void> => {
  const { partner_id, customer_id, partner_customer_id: id } = confirmed
  const open = await tx.query(requirementStore.readOpenOf, [customer_id, partner_id])
  const relationships = await tx.query(store.readOfMerchant, [customer_id])
  const others = relationships.filter((relationship) => relationship.partner_customer_id !== id)
  for (const row of open) tellOf(tx, 'requirement.created', row, others, now)
}

/**
 * Confirms that a relationship's merchant is the one that another partner had linked before (decisions §18): from now
 * on it shares the merchant's case, and what it has brought counts. Whoever may confirm (staff today) calls this in a
 * transaction of its own.
 */
export const confirmLink = async (tx: Transaction, partnerCustomerId: string, now: Date) => {
  const before = await holdRelationship(tx, partnerCustomerId)
  if (!before) return refuse('resource_not_found')
  const refusal = judgeConfirmation(before)
  if (refusal) return refusal
  const [after] = await tx.query(store.confirmLink, [partnerCustomerId])
  if (!after) throw new Error('A held relationship is gone')
  await joinCase(tx, after, now)
  await shareRequirements(tx, after, now)
  announce(tx, before, after, now)
  return reply(after)
}
