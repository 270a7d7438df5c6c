import { newIdAt, type Transaction } from '@causeway/chassis'
import type { CapabilityName, RelationshipStatus } from '@causeway/contracts'
import { changeEvents, type EventDraft } from './events.ts'
import type { Relationship } from './relationship.ts'
import * as store from './store.ts'

/** Emits one event in the transaction of its cause. */
export const emit = (tx: Transaction, draft: EventDraft, now: Date): void =>
  tx.emit({ id: newIdAt('event', now.getTime()), created_at: now.toISOString(), ...draft })

/** Emits the events of a relationship's change, in the transaction of the change. */
export const emitChange = (
  tx: Transaction,
  before: Relationship | null,
  after: Relationship,
  now: Date,
): void => {
  for (const draft of changeEvents(before, after)) emit(tx, draft, now)
}

type Change = Readonly<{ status?: RelationshipStatus; granted?: readonly CapabilityName[] }>

/**
 * Stores a change of a relationship and emits it. The caller has locked the merchant's row.
 * @param change nothing, where what the relationship depends on has changed
 * @returns the relationship after the change
 */
export const updateRelationship = async (
  tx: Transaction,
  before: Relationship,
  change: Change,
  now: Date,
): Promise<Relationship> => {
  const { partnerCustomerId, status, granted } = before
  const after = await store.update(tx, { partnerCustomerId, status, granted, ...change })
  if (!after) throw new Error('A locked merchant has no row of its relationship')
  emitChange(tx, before, after, now)
  return after
}

/**
 * Changes what all relationships of a merchant depend on, and emits the change of each. The caller has locked the
 * merchant's row.
 */
export const updateMerchant = async (
  tx: Transaction,
  merchantId: string,
  now: Date,
  change: () => Promise<unknown>,
): Promise<void> => {
  const befores = await store.listOfMerchant(tx, { merchantId })
  await change()
  const afters = await store.updateVersionsOfMerchant(tx, { merchantId })
  for (const before of befores) {
    const after = afters.find((changed) => changed.partnerCustomerId === before.partnerCustomerId)
    if (!after) throw new Error('A locked merchant has no row of its relationship')
    emitChange(tx, before, after, now)
  }
}
