import type { Transaction } from '@causeway/chassis'
import * as merchantStore from '../merchants/store.ts'
import type { Relationship } from './relationship.ts'
import * as store from './store.ts'

/**
 * Reads a relationship for a change, with its merchant's row locked. Every change of a merchant or of one of its
 * relationships takes this lock first: versions and events follow one order, and no two changes deadlock.
 */
export const lockRelationship = async (
  tx: Transaction,
  partnerCustomerId: string,
): Promise<Relationship | null> => {
  const merchant = await merchantStore.lockMerchantOfRelationship(tx, { partnerCustomerId })
  return merchant && store.get(tx, { partnerCustomerId })
}

/** As {@link lockRelationship}, for a partner: its own active relationships only. */
export const lockOwnRelationship = async (
  tx: Transaction,
  partnerId: string,
  partnerCustomerId: string,
): Promise<Relationship | null> => {
  const merchant = await merchantStore.lockMerchantOfPartner(tx, { partnerId, partnerCustomerId })
  const relationship = merchant && (await store.get(tx, { partnerCustomerId }))
  return relationship?.status === 'active' ? relationship : null
}
