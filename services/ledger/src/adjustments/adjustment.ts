import { ownedAccount, suspense } from '../posting/accounts.ts'
import { transferOf, type Posting } from '../posting/posting.ts'

/** A correction of an owner's available balance, signed, in the unit's smallest part. */
export type Adjusted = Readonly<{ ownerId: string; unit: string; amount: bigint }>

/** Returns the posting of an adjustment. @param source the adjustment's id */
export const adjustmentPosting = (
  { ownerId, unit, amount }: Adjusted,
  source: string,
  now: Date,
): Posting => {
  const [owner, counterpart] = [ownedAccount(ownerId, 'available'), suspense(unit)]
  return {
    ...{ source, rule: 'fact', orderKey: null, orderId: null, reverses: null, estimated: false, dueAt: null },
    effectiveAt: now.toISOString(),
    transfers:
      amount < 0n
        ? transferOf(owner, counterpart, unit, -amount, 'adjustment')
        : transferOf(counterpart, owner, unit, amount, 'adjustment'),
  }
}
