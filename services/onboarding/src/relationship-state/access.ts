import type { Queryable, Transaction } from '@causeway/chassis'
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

const ifActive = (relationship: Relationship | null): Relationship | null =>
  relationship?.status === 'active' ? relationship : null

/** Reads a partner's own active relationship as it is now: a revoked one does not exist for it (decisions §3). */
export const getOwnRelationship = async (
  db: Queryable,
  partnerId: string,
  partnerCustomerId: string,
): Promise<Relationship | null> => ifActive(await store.getLive(db, { partnerId, partnerCustomerId }))

/** As {@link lockRelationship}, of a partner's own active relationship. */
export const lockOwnRelationship = async (
  tx: Transaction,
  partnerId: string,
  partnerCustomerId: string,
): Promise<Relationship | null> => {
  const merchant = await merchantStore.lockMerchantOfPartner(tx, { partnerId, partnerCustomerId })
  return merchant && ifActive(await store.get(tx, { partnerCustomerId }))
}
