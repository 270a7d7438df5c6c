import { ownedAccount } from '../posting/accounts.ts'
import { transferOf, type Posting } from '../posting/posting.ts'

/** A change of what is held. `amount`: positive where it is reserved, negative where it is released. */
export type ReserveMovement = Readonly<{
  source: string
  ownerId: string
  unit: string
  orderKey: string | null
  orderId: string | null
  amount: bigint
  effectiveAt: Date
}>

/** The source of the posting that follows so many others of a reserve. @param orderRef empty: of a fixed plan */
export const reserveSource = (ownerId: string, unit: string, orderRef: string, movements: number): string =>
  `reserve:${orderRef === '' ? 'fixed' : orderRef}:${ownerId}:${unit}:${movements + 1}`

/** Returns the posting between the available and the reserved balance of one owner. */
export const reservePosting = ({
  source,
  ownerId,
  unit,
  orderKey,
  orderId,
  amount,
  effectiveAt,
}: ReserveMovement): Posting => {
  const [available, reserved] = [ownedAccount(ownerId, 'available'), ownedAccount(ownerId, 'reserved')]
  return {
    ...{ source, rule: 'reserve', orderKey, orderId, reverses: null, estimated: false, dueAt: null },
    effectiveAt: effectiveAt.toISOString(),
    transfers:
      amount > 0n
        ? transferOf(available, reserved, unit, amount, 'reserve')
        : transferOf(reserved, available, unit, -amount, 'reserve_released'),
  }
}
