import type { Transaction } from '@causeway/chassis'
import type { Relationship } from './relationship.ts'
import * as store from './store.ts'
import { announce } from './emit.ts'

/**
 * Changes what all relationships of a merchant depend on, and announces to each what it means. The merchant's row is
 * held by the caller.
 * @returns its relationships as they are after the change
 */
export const changeStanding = async (
  tx: Transaction,
  merchantId: string,
  now: Date,
  change: () => Promise<unknown>,
): Promise<Relationship[]> => {
  const befores = await tx.query(store.readOfMerchant, [merchantId])
  await change()
  const afters = await tx.query(store.countChange, [merchantId])
  for (const before of befores) {
    const after = afters.find((changed) => changed.partner_customer_id === before.partner_customer_id)
    if (!after) throw new Error('A relationship of a held merchant is gone')
    announce(tx, before, after, now)
  }
  return afters
}
