import { LOSS_COST, ownedAccount, suspense } from '../posting/accounts.ts'
import { transferOf, type Posting } from '../posting/posting.ts'

/** A correction of an owner's available balance, signed, in the unit's smallest part. The platform bears a write-off. */
export type Adjusted = Readonly<{ ownerId: string; unit: string; amount: bigint; isWriteOff?: boolean }>

/** Returns the posting of an adjustment. @param source the adjustment's id */
export const adjustmentPosting = (
  { ownerId, unit, amount, isWriteOff = false }: Adjusted,
  source: string,
  now: Date,
): Posting => {
  const owner = ownedAccount(ownerId, 'available')
  const counterpart = isWriteOff ? LOSS_COST : suspense(unit)
  return {
    ...{ source, rule: 'fact', orderKey: null, orderId: null, reverses: null, estimated: false, dueAt: null },
    effectiveAt: now.toISOString(),
    transfers:
      amount < 0n
        ? transferOf(owner, counterpart, unit, -amount, 'adjustment')
        : transferOf(counterpart, owner, unit, amount, 'adjustment'),
  }
}
