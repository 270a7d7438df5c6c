import { destroyDataKey, metrics, refuse, reply, type Db, type Transaction } from '@causeway/chassis'
import * as merchantStore from '../merchants/store.ts'
import { decideErasure } from './domain.ts'
import { incrementVersion } from '../relationship-state/case-version-store.ts'
import { updateRelationship } from '../relationship-state/changes.ts'
import { get as getRelationship } from '../relationship-state/store.ts'
import * as store from './store.ts'

/** Dependencies of an erasure, by command or by age. */
export type ErasureDependencies = Readonly<{
  db: Db
  kybRetentionMs: number
  /** Called when the bytes of documents are to be deleted. */
  onErased: () => void
}>

const erasures = metrics.counter(
  'causeway_personal_data_erased_total',
  'Relationships whose data was erased',
  ['cause'],
)

type Request = Readonly<{ partnerCustomerId: string; now: Date; cause: 'command' | 'age' }>

/** Erases what may be erased, and reports what was and what remains. A second call changes nothing and reports the same. */
export const eraseRelationship = async (
  { db, kybRetentionMs, onErased }: ErasureDependencies,
  { partnerCustomerId, now, cause }: Request,
) => {
  const outcome = await db.transaction(async (tx) => {
    await merchantStore.lockMerchantOfRelationship(tx, { partnerCustomerId })
    const state = await store.getState(tx, { partnerCustomerId })
    if (!state) return refuse('resource_not_found')
    const decision = decideErasure(state, now, kybRetentionMs)
    if (!decision.ok) return decision
    const { isDue, erased, remaining } = decision.value
    if (isDue) {
      await destroy(tx, partnerCustomerId, now)
      await incrementVersion(tx, { merchantId: state.merchantId, editedAt: null })
    }
    if (isDue && !state.isShared) await store.eraseColumns(tx, 'merchant', state.merchantId)
    return reply({ isDue, erased: [...erased], remaining: [...remaining] })
  })
  if (!outcome.ok) return outcome
  const { isDue, erased, remaining } = outcome.value
  if (isDue) {
    erasures.inc({ cause })
    onErased()
  }
  return reply({ erased, remaining })
}

/** Without its key no backup can be decrypted either; the live rows are deleted as well. */
const destroy = async (tx: Transaction, partnerCustomerId: string, now: Date): Promise<void> => {
  await destroyDataKey(tx, partnerCustomerId)
  await store.discardBytes(tx, { partnerCustomerId })
  await store.unlinkDocuments(tx, { partnerCustomerId })
  await store.eraseColumns(tx, 'relationship', partnerCustomerId)
  await store.markErased(tx, { partnerCustomerId, now })
  // Other services erase what they keep of it.
  const relationship = await getRelationship(tx, { partnerCustomerId })
  if (relationship === null) throw new Error('A locked merchant has no row of its relationship')
  await updateRelationship(tx, relationship, {}, now)
}
