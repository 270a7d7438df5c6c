import { EntryKind, Network } from '@causeway/contracts'
import { z } from 'zod'
import {
  converted,
  DISPUTE_FEE_COST,
  inTransit,
  LOSS_COST,
  MAIN_BANK,
  onChain,
  ownedAccount,
  PROCESSOR_FEE_COST,
  receivable,
  suspense,
  type Account,
} from '../posting/accounts.ts'
import { transferOf, type Posting } from '../posting/posting.ts'

/** Accounts that matching moves money between. `owner`: the available balance of a relationship or a partner. */
const Place = z.enum([
  'bank',
  'chain_deposits',
  'fee',
  'dispute_fee',
  'fx',
  'in_transit',
  'suspense',
  'loss',
  'owner',
  'receivable',
])
export type Place = z.infer<typeof Place>

/** A transfer. `ownerId` and `kind` are those of the side `owner`. */
export const Movement = z.object({
  debit: Place,
  credit: Place,
  unit: z.string(),
  amount: z.coerce.bigint(),
  ownerId: z.string().nullable(),
  kind: EntryKind.nullable(),
})
export type Movement = Readonly<z.infer<typeof Movement>>

/** Content of a posting of the matching. `processor`: empty for one that concerns no processor. */
export type SettlementPosting = Readonly<{
  source: string
  processor: string
  orderKey: string | null
  orderId: string | null
  effectiveAt: Date
  movements: readonly Movement[]
}>

/** @throws Error for a unit that is no asset of a network */
const networkOfUnit = (unit: string): Network => Network.parse(unit.split('/')[0])

const accountOf = (place: Place, { unit, ownerId }: Movement, processor: string): Account => {
  switch (place) {
    case 'receivable':
      return receivable(processor)
    case 'bank':
      return MAIN_BANK
    case 'chain_deposits':
      return onChain(networkOfUnit(unit), 'deposits')
    case 'fx':
      return converted(unit)
    case 'in_transit':
      return inTransit(processor)
    case 'suspense':
      return suspense(unit)
    case 'fee':
      return PROCESSOR_FEE_COST
    case 'dispute_fee':
      return DISPUTE_FEE_COST
    case 'loss':
      return LOSS_COST
    case 'owner':
      return ownedAccount(ownerId ?? '', 'available')
  }
}

/** The movement of what addresses lack out of the books' balance of them. */
export const missingOnChain = (unit: string, amount: bigint): Movement => ({
  ...{ debit: 'suspense', credit: 'chain_deposits', unit, amount, ownerId: null, kind: null },
})

/** Returns the posting; null if nothing moves. */
export const settlementPosting = ({
  movements,
  processor,
  ...posting
}: SettlementPosting): Posting | null => {
  const transfers = movements.flatMap((movement) => {
    const [debit, credit] = [
      accountOf(movement.debit, movement, processor),
      accountOf(movement.credit, movement, processor),
    ]
    return transferOf(debit, credit, movement.unit, movement.amount, movement.kind ?? 'adjustment')
  })
  return transfers.length === 0
    ? null
    : {
        ...{ source: posting.source, orderKey: posting.orderKey, orderId: posting.orderId },
        ...{ rule: 'settlement', reverses: null, estimated: false, dueAt: null, transfers },
        effectiveAt: posting.effectiveAt.toISOString(),
      }
}

/** The movements that take a posting back. */
export const reversedMovements = (movements: readonly Movement[]): Movement[] =>
  movements.map((each) => ({ ...each, debit: each.credit, credit: each.debit }))

/** Returns what a posting has put into suspense, by unit: positive for money whose receiver is not known. */
const suspendedBy = (movements: readonly Movement[]): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>()
  for (const { debit, credit, unit, amount } of movements) {
    const moved = (credit === 'suspense' ? amount : 0n) - (debit === 'suspense' ? amount : 0n)
    sums.set(unit, (sums.get(unit) ?? 0n) + moved)
  }
  return sums
}

/**
 * Moves out of suspense what a closed difference keeps there: to `place`, except what an adjustment has taken.
 * @param adjusted by unit, what adjustments have moved from suspense to an owner
 */
export const closingMovements = (
  movements: readonly Movement[],
  adjusted: ReadonlyMap<string, bigint>,
  place: 'loss' | 'fee',
): Movement[] => {
  const kept = suspendedBy(movements)
  return [...new Set([...kept.keys(), ...adjusted.keys()])].flatMap((unit) => {
    const rest = (kept.get(unit) ?? 0n) - (adjusted.get(unit) ?? 0n)
    if (rest === 0n) return []
    const sides: Pick<Movement, 'debit' | 'credit'> =
      rest > 0n ? { debit: 'suspense', credit: place } : { debit: place, credit: 'suspense' }
    return [{ ...sides, unit, amount: rest < 0n ? -rest : rest, ownerId: null, kind: null }]
  })
}
