import type { Asset, CryptoOrderStatus, DepositBucket, UnattributedMoneyKind } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import type { KeptDeposit, MoneyPart } from '../crypto-orders/deposits-store.ts'
import { feeOfCredited } from '../crypto-orders/service-fee.ts'
import { settledOfCredited, type Valued } from '../crypto-orders/settled-value.ts'
import { NOTHING, type Split } from '../crypto-orders/split.ts'
import { keyOf } from './deposit-page.ts'

type Amount = Readonly<{ asset: Asset; amount: string }>
/** Facts of an order that decide the allocation of its deposits. */
export type Claim = Valued & Readonly<{ status: CryptoOrderStatus }>

/** Where a deposit belongs, and what of it waits for staff. */
export type Allocation = Readonly<{
  deposit: KeptDeposit
  split: Split | null
  /** The part that staff must decide on; null without one. */
  unattributed: Readonly<{ kind: UnattributedMoneyKind; units: bigint }> | null
  /** Service fee of the applied part, in the asset. */
  serviceFee: string
  /** The part of what is applied that is converted: in the asset, and in the minor unit of the order's currency. */
  settledAmount: string
  settledCents: number
}>
type Placed = Pick<Allocation, 'deposit' | 'split' | 'unattributed'>

export const unitsOf = ({ asset, amount }: Amount): bigint => toUnits(amount, ASSET_DECIMALS[asset])

const BUCKET_OF: Readonly<Record<UnattributedMoneyKind, DepositBucket>> = {
  excess: 'excess',
  second: 'excess',
  late: 'late',
  foreign: 'foreign',
  // Staff have applied it to this order; a card payment is no deposit.
  unknown: 'applied',
  card_after_end: 'late',
  card_mismatch: 'late',
}

/** Staff have ended it, or are sending it back: it never counts towards the order again. */
const isDecided = ({ status }: MoneyPart): boolean => status !== 'open'

const add = (split: Split, bucket: DepositBucket, units: bigint): Split => ({
  ...split,
  [bucket]: split[bucket] + units,
})

/** Staff have applied it to an order that it would not have paid, with the merchant's consent. */
const isAcceptance = ({ kind, endedBy }: MoneyPart): boolean =>
  endedBy === 'applied' && kind !== 'excess' && kind !== 'second'

type Decided = Readonly<{
  split: Split
  /** Part that was applied towards the amount due. A part applied beyond it does not change that. */
  accepted: bigint
  /** Part that staff have not decided on. */
  rest: bigint
}>

/** Returns the parts of a deposit that staff decided on, and the rest. */
const decidedOf = (deposit: KeptDeposit): Decided => {
  let [split, accepted, rest] = [NOTHING, 0n, unitsOf(deposit)]
  for (const part of deposit.money.filter(isDecided)) {
    const units = unitsOf({ asset: deposit.asset, amount: part.amount })
    const taken = units < rest ? units : rest
    split = add(split, part.endedBy === 'applied' ? 'applied' : BUCKET_OF[part.kind], taken)
    if (isAcceptance(part)) accepted += taken
    rest -= taken
  }
  return { split, accepted, rest }
}

const isCounted = ({ countedAt }: KeptDeposit): boolean => countedAt !== null

/** Checks whether the merchant accepted money of this deposit as the payment of its order. */
export const isAccepted = ({ money }: KeptDeposit): boolean => money.some(isAcceptance)

/** Returns the amount that counts towards an order: its counted deposits in its asset, less the parts that staff decided differently. */
export const towardsOrder = ({ asset }: Amount, deposits: Iterable<KeptDeposit>): string => {
  const units = [...deposits]
    .filter((deposit) => isCounted(deposit) && deposit.asset === asset)
    .map((deposit) => {
      const { split, rest } = decidedOf(deposit)
      return split.applied + rest
    })
  return fromUnits(
    units.reduce((sum, each) => sum + each, 0n),
    ASSET_DECIMALS[asset],
  )
}

/**
 * Sorts deposits by the time they counted. Of deposits that counted together, the one that already pays the order comes
 * first; otherwise their place on the chain decides, so that the order in which rows are read never does.
 */
const byCounting = (a: KeptDeposit, b: KeptDeposit): number =>
  (a.countedAt?.getTime() ?? 0) - (b.countedAt?.getTime() ?? 0) ||
  Number((b.split?.applied ?? 0n) > 0n) - Number((a.split?.applied ?? 0n) > 0n) ||
  (a.blockNumber ?? 0) - (b.blockNumber ?? 0) ||
  (keyOf(a) < keyOf(b) ? -1 : 1)

type Rest = Decided & Readonly<{ deposit: KeptDeposit }>

/** Takes what is due from a deposit of a paid order; the rest is beyond it. */
const paying = ({ deposit, split, rest }: Rest, due: bigint): Placed & { taken: bigint } => {
  const taken = due < rest ? due : rest
  const beyond = rest - taken
  const applied = add(split, 'applied', taken)
  const kind = applied.applied > 0n ? 'excess' : 'second'
  return {
    deposit,
    split: add(applied, 'excess', beyond),
    unattributed: beyond > 0n ? { kind, units: beyond } : null,
    taken,
  }
}

/**
 * Gives each deposit its part of the service fee and of the converted value: the differences of the rounded cumulative sums.
 * So the parts are together exactly the fee and the value of what was applied in an asset, and no part exceeds what was
 * applied of its deposit.
 */
const withFeesAndValues = (order: Claim, placed: readonly Placed[]): Allocation[] => {
  const applied = new Map<Asset, bigint>()
  return placed.map((each) => {
    const { asset } = each.deposit
    const before = applied.get(asset) ?? 0n
    const after = before + (each.split?.applied ?? 0n)
    applied.set(asset, after)
    const fee = feeOfCredited(order, after) - feeOfCredited(order, before)
    const known = settledOfCredited(order, asset, before)
    const settled = settledOfCredited(order, asset, after)
    return {
      ...each,
      serviceFee: fromUnits(fee, ASSET_DECIMALS[asset]),
      settledAmount: fromUnits(settled.units - known.units, ASSET_DECIMALS[asset]),
      settledCents: Number(settled.cents - known.cents),
    }
  })
}

/** Returns the deposit as it is kept with its allocation. */
export const allocated = ({ deposit, unattributed: _waits, ...parts }: Allocation): KeptDeposit => ({
  ...deposit,
  ...parts,
})

/**
 * Splits the deposits of an order over their buckets (decisions §52). What counts is `open` until the order is paid;
 * `applied` up to the amount due and `excess` beyond it once it is paid, in the order in which the deposits counted;
 * `late` once it has ended unpaid. Another asset than the order's is `foreign`. A part that staff have decided on stays
 * where it was, or is `applied`. What is applied bears the order's service fee, and is
 * converted where the order's price plan says so.
 */
export const allocate = (order: Claim, deposits: Iterable<KeptDeposit>): readonly Allocation[] => {
  const all = [...deposits].toSorted(byCounting)
  const counted: Rest[] = all.filter(isCounted).map((deposit) => ({ deposit, ...decidedOf(deposit) }))
  let due = unitsOf(order)
  for (const { deposit, accepted } of counted) if (deposit.asset === order.asset) due -= accepted
  if (due < 0n) due = 0n

  const allocations = counted.map((each): Placed => {
    const { deposit, split, rest } = each
    if (rest === 0n) return { deposit, split, unattributed: null }
    if (deposit.asset !== order.asset)
      return { deposit, split: add(split, 'foreign', rest), unattributed: { kind: 'foreign', units: rest } }
    if (order.status === 'pending' || order.status === 'underpaid')
      return { deposit, split: add(split, 'open', rest), unattributed: null }
    if (order.status !== 'paid')
      return { deposit, split: add(split, 'late', rest), unattributed: { kind: 'late', units: rest } }
    const { taken, ...allocation } = paying(each, due)
    due -= taken
    return allocation
  })
  const uncounted = all.filter((deposit) => !isCounted(deposit))
  return withFeesAndValues(order, [
    ...allocations,
    ...uncounted.map((deposit): Placed => ({ deposit, split: null, unattributed: null })),
  ])
}
