import type { Asset } from '@causeway/contracts'
import { ASSET_DECIMALS } from '@causeway/rails/networks'

/**
 * A paid card order of payments, with its refunds and disputes in the order in which they were counted. Refunds that failed
 * before its first dispute are left out.
 */
export type CardOrderRow = Readonly<{
  relationshipId: string
  processor: string
  currency: string
  totalCents: number
  serviceFeeCents: number
  isFeeReturned: boolean
  refunds: readonly Readonly<{ amountCents: number; isAfterDispute: boolean; hasFailed: boolean }>[]
  disputes: readonly Dispute[]
}>
/** Null amounts: the processor stated none. */
type Dispute = Readonly<{
  amountCents: number | null
  currency: string | null
  feeCents: number | null
  feeCurrency: string | null
}>

/** The deposits of a relationship in one asset that count, in the asset's unit, as decimals. */
export type DepositsRow = Readonly<{ relationshipId: string; network: string; asset: string }> &
  Readonly<Record<'open' | 'applied' | 'excess' | 'late' | 'foreign', string>>

/** Credits less debits of each account, in the unit's smallest part; `pending` and `available` count together. */
export type Sums = ReadonlyMap<string, bigint>

const partsOf = (decimal: string, asset: string): bigint => {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.replace(/0+$/, '').padEnd(ASSET_DECIMALS[asset as Asset], '0'))
}

/** The share of the fee in `refunded`, rounded half up. */
const feeShare = ({ totalCents, serviceFeeCents }: CardOrderRow, refunded: number): number =>
  Math.floor((2 * serviceFeeCents * refunded + totalCents) / (2 * totalCents))

const sumOf = (refunds: CardOrderRow['refunds']): number =>
  refunds.reduce((sum, { amountCents }) => sum + amountCents, 0)

/** Sum of the refunds that an order counted at its first dispute: all of them where it has none. */
const countedCents = ({ refunds }: CardOrderRow): number =>
  sumOf(refunds.filter(({ isAfterDispute }) => !isAfterDispute))

/**
 * The fee that the refunds of an order return: the refunds before a dispute together, because their shares are rounded
 * cumulatively, and each later one separately, because a disputed order counts no refunds; so does each later failure.
 */
const returnedFee = (order: CardOrderRow): number => {
  if (!order.isFeeReturned) return 0
  return order.refunds.reduce(
    (sum, { amountCents, isAfterDispute, hasFailed }) => {
      if (isAfterDispute === hasFailed) return sum
      return sum + (isAfterDispute ? 1 : -1) * feeShare(order, amountCents)
    },
    feeShare(order, countedCents(order)),
  )
}

/** Amount that the disputes of an order take: the stated amount in the order's currency, otherwise what the order still held. */
const disputedCents = (order: CardOrderRow): number => {
  let held = order.totalCents - countedCents(order)
  return order.disputes.reduce((sum, { amountCents, currency }) => {
    const taken = amountCents !== null && currency === order.currency ? amountCents : Math.max(0, held)
    held = 0
    return sum + taken
  }, 0)
}

/**
 * The books that payments' tables imply (decisions §47), computed without the ledger's rules: no postings, no transfers and
 * no facts. Refunds in crypto are not in it.
 */
export const booksOf = (orders: readonly CardOrderRow[], deposits: readonly DepositsRow[]): Sums => {
  const sums = new Map<string, bigint>()
  const add = (account: string, amount: bigint): void => {
    sums.set(account, (sums.get(account) ?? 0n) + amount)
  }
  for (const order of orders) {
    const { relationshipId, processor, currency } = order
    const left = order.totalCents - sumOf(order.refunds.filter(({ hasFailed }) => !hasFailed))
    const collected = BigInt(left - disputedCents(order))
    const fee = BigInt(order.serviceFeeCents - returnedFee(order))
    add(`processor:${processor}:receivable ${currency}`, -collected)
    add(`income:service_fee ${currency}`, fee)
    add(`${relationshipId} ${currency}`, collected - fee)
    for (const { feeCents, feeCurrency } of order.disputes) {
      if (feeCents === null || feeCurrency === null) continue
      add(`processor:${processor}:receivable ${feeCurrency}`, BigInt(feeCents))
      add(`${relationshipId} ${feeCurrency}`, -BigInt(feeCents))
    }
  }
  for (const { relationshipId, network, asset, applied, ...others } of deposits) {
    const unit = `${network}/${asset}`
    const buckets = [
      [relationshipId, applied],
      ...(['open', 'excess', 'late', 'foreign'] as const).map(
        (bucket) => [`payers:${bucket}`, others[bucket]] as const,
      ),
    ] as const
    for (const [account, amount] of buckets) {
      add(`${account} ${unit}`, partsOf(amount, asset))
      add(`chain:${network}:deposits ${unit}`, -partsOf(amount, asset))
    }
  }
  return new Map([...sums].filter(([, sum]) => sum !== 0n))
}
