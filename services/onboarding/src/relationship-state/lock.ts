import type { Transaction } from '@causeway/chassis'
import type { Relationship } from './relationship.ts'
import * as merchantStore from '../merchants/store.ts'
import * as store from './store.ts'

/**
 * Reads a relationship for a change. Its merchant's row is held first, as every change of a merchant's or a
 * relationship's standing does, so that versions and announcements follow one order and no two changes deadlock.
 */
export const holdRelationship = async (
  tx: Transaction,
  partnerCustomerId: string,
): Promise<Relationship | undefined> => {
  const [merchant] = await tx.query(merchantStore.holdOfRelationship, [partnerCustomerId])
  if (!merchant) return undefined
  const [relationship] = await tx.query(store.read, [partnerCustomerId])
  return relationship
}

/** The same for a partner, of its own active relationship alone. */
export const holdOwnRelationship = async (
  tx: Transaction,
  partnerId: string,
  partnerCustomerId: string,
): Promise<Relationship | undefined> => {
  const [merchant] = await tx.query(merchantStore.holdOfPartner, [partnerId, partnerCustomerId])
  if (!merchant) return undefined
  const [relationship] = await tx.query(store.read, [partnerCustomerId])
  return relationship?.status === 'active' ? relationship : undefined
}
