import { NETWORK_ASSETS, type Asset, type Network } from '@causeway/contracts'
import { ASSET_DECIMALS } from '@causeway/rails/networks'

/**
 * A paid card order of payments, with its refunds and disputes in the order in which they were counted. Refunds that failed
 * before its first dispute are left out.
 */
export type CardOrderRow = Readonly<{
  relationshipId: string
  partnerId: string
  processor: string
  currency: string
  totalCents: number
  serviceFeeCents: number
  isFeeReturned: boolean
  partnerFeeCents: number
  splits: readonly Readonly<{ relationshipId: string; amountCents: number }>[]
  refunds: readonly Readonly<{ amountCents: number; isAfterDispute: boolean; hasFailed: boolean }>[]
  disputes: readonly Dispute[]
  /** The fee of its price plan for each dispute; null: the merchant bears the processor's. */
  disputeFeeCents: number | null
}>
/** Null amounts: the processor stated none. */
type Dispute = Readonly<{
  amountCents: number | null
  currency: string | null
  feeCents: number | null
  feeCurrency: string | null
}>

/**
 * The deposits of an order in one asset that count, as decimals; `order` has the amount due, its service fee, and its price in
 * the currency into which its receipts are converted (null: they are not).
 */
export type DepositsRow = Readonly<{
  relationshipId: string
  network: string
  asset: string
  order: Readonly<{
    asset: string
    amount: string
    serviceFee: string
    isFeeOnTop: boolean
    convertedTo: Readonly<{ currency: string; price: string }> | null
  }>
}> &
  Readonly<Record<'open' | 'applied' | 'excess' | 'late' | 'foreign', string>>

/**
 * A refund of crypto that was sent, as payments keeps it: `amount` has arrived, and the network took `networkFee` in its coin.
 * `kind`: of the unattributed money; null: what a cancelled order has received.
 */
export type CryptoRefundRow = Readonly<{
  relationshipId: string
  network: Network
  asset: Asset
  kind: string | null
  amount: string
  networkFee: string
}>

/**
 * A transfer of the signer that is on its way or has ended. `taken` from deposits; `networkFee` is in the network's coin, and
 * of a transfer under way it is not yet known.
 */
export type TransferRow = Readonly<{
  purpose: 'refund' | 'sweep'
  status: 'broadcast' | 'confirmed' | 'failed'
  network: Network
  asset: Asset
  taken: string
  arrived: string
  networkFee: string
}>

/** Rows of payments' and the signer's tables that imply the books. */
export type BookedRows = Readonly<{
  orders: readonly CardOrderRow[]
  deposits: readonly DepositsRow[]
  refunds: readonly CryptoRefundRow[]
  transfers: readonly TransferRow[]
}>

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
 * Returns the rest of each share, in their order, when refunds and disputes have taken `reversed` cents of an order back. Each
 * share gives back its part of the sum, less the returned service fee and less what the shares before it gave back.
 */
const keptShares = (order: CardOrderRow, shares: readonly number[], reversed: number): number[] => {
  const all = order.isFeeReturned ? order.totalCents : order.totalCents - order.serviceFeeCents
  const part = Math.min(reversed, all)
  let returned = part - (order.isFeeReturned ? feeShare(order, part) : 0)
  let whole = order.totalCents - order.serviceFeeCents
  return shares.map((share) => {
    const given = whole === 0 ? 0 : Math.floor((2 * share * returned + whole) / (2 * whole))
    returned -= given
    whole -= share
    return share - given
  })
}

type Add = (account: string, amount: bigint) => void

const addCardOrder = (add: Add, order: CardOrderRow): void => {
  const { relationshipId, processor, currency } = order
  const left = order.totalCents - sumOf(order.refunds.filter(({ hasFailed }) => !hasFailed))
  const collected = BigInt(left - disputedCents(order))
  const fee = BigInt(order.serviceFeeCents - returnedFee(order))
  add(`processor:${processor}:receivable ${currency}`, -collected)
  add(`income:service_fee ${currency}`, fee)
  const owners = [
    { owner: order.partnerId, cents: order.partnerFeeCents },
    ...order.splits.map((split) => ({ owner: split.relationshipId, cents: split.amountCents })),
  ]
  const kept = keptShares(
    order,
    owners.map(({ cents }) => cents),
    order.totalCents - Number(collected),
  )
  for (const [place, { owner }] of owners.entries()) add(`${owner} ${currency}`, BigInt(kept[place] ?? 0))
  const shared = kept.reduce((sum, cents) => sum + cents, 0)
  add(`${relationshipId} ${currency}`, collected - fee - BigInt(shared))
  for (const { feeCents, feeCurrency } of order.disputes) {
    if (order.disputeFeeCents !== null) {
      add(`income:service_fee ${currency}`, BigInt(order.disputeFeeCents))
      add(`${relationshipId} ${currency}`, -BigInt(order.disputeFeeCents))
      continue
    }
    if (feeCents === null || feeCurrency === null) continue
    add(`processor:${processor}:receivable ${feeCurrency}`, BigInt(feeCents))
    add(`${relationshipId} ${feeCurrency}`, -BigInt(feeCents))
  }
}

/** Fee of what is applied in one asset: in proportion to the order's amount, rounded half up. */
const depositFee = ({ asset, applied, order }: DepositsRow): bigint => {
  const [due, fee] = [partsOf(order.amount, order.asset), partsOf(order.serviceFee, order.asset)]
  return (2n * fee * partsOf(applied, asset) + due) / (2n * due)
}

const MINOR_DECIMALS: Readonly<Record<string, number>> = { JPY: 0, KWD: 3 }

/** Converts the applied amount in the order's asset, after the fee: in proportion to the two prices, rounded half up. */
const addConversion = (add: Add, row: DepositsRow): void => {
  const { relationshipId, network, asset, applied, order } = row
  if (order.convertedTo === null || asset !== order.asset) return
  const { currency, price } = order.convertedTo
  const [due, fee] = [partsOf(order.amount, asset), partsOf(order.serviceFee, asset)]
  const [whole, net] = [order.isFeeOnTop ? due - fee : due, partsOf(applied, asset) - depositFee(row)]
  const [units = '', fraction = ''] = price.split('.')
  const cents = BigInt(units + fraction) * 10n ** BigInt(MINOR_DECIMALS[currency] ?? 2)
  const scale = 10n ** BigInt(fraction.length)
  const value = (2n * cents * net + whole * scale) / (2n * whole * scale)
  for (const [unit, amount] of [
    [`${network}/${asset}`, -net],
    [currency, value],
  ] as const) {
    add(`${relationshipId} ${unit}`, amount)
    add(`fx:${unit} ${unit}`, -amount)
  }
}

const addDeposits = (add: Add, row: DepositsRow): void => {
  const { relationshipId, network, asset, applied } = row
  const unit = `${network}/${asset}`
  const buckets = [
    [relationshipId, applied],
    ...(['open', 'excess', 'late', 'foreign'] as const).map(
      (bucket) => [`payers:${bucket}`, row[bucket]] as const,
    ),
  ] as const
  for (const [account, amount] of buckets) {
    add(`${account} ${unit}`, partsOf(amount, asset))
    add(`chain:${network}:deposits ${unit}`, -partsOf(amount, asset))
  }
  add(`${relationshipId} ${unit}`, -depositFee(row))
  add(`income:service_fee ${unit}`, depositFee(row))
  addConversion(add, row)
}

/** A fee in the asset itself leaves the deposits; that of a token leaves the platform's gas account. */
const addFee = (add: Add, { network, asset }: TransferRow | CryptoRefundRow, fee: string, bearer: string) => {
  const [coin] = NETWORK_ASSETS[network]
  const isOwn = coin === asset
  add(`${isOwn ? bearer : 'cost:network_fee'} ${network}/${coin}`, -partsOf(fee, coin))
  add(`chain:${network}:${isOwn ? 'deposits' : 'gas'} ${network}/${coin}`, partsOf(fee, coin))
}

const payersOf = (kind: string | null): string => {
  if (kind === 'excess' || kind === 'second') return 'payers:excess'
  return kind === 'foreign' ? 'payers:foreign' : 'payers:late'
}

/** Amounts that were sent back no longer belong to the payers; a fee in the same asset was taken from them. */
const addRefund = (add: Add, refund: CryptoRefundRow): void => {
  const { network, asset, amount } = refund
  add(`${payersOf(refund.kind)} ${network}/${asset}`, -partsOf(amount, asset))
  add(`chain:${network}:deposits ${network}/${asset}`, partsOf(amount, asset))
  addFee(add, refund, refund.networkFee, payersOf(refund.kind))
}

/** A refund counts here only if it failed, by its lost fee; one that was sent is among the refunds. */
const addTransfer = (add: Add, transfer: TransferRow): void => {
  const { purpose, status, network, asset, taken, arrived, networkFee } = transfer
  const unit = `${network}/${asset}`
  const [left, to] =
    status === 'broadcast' ? [partsOf(taken, asset), 'in_flight'] : [partsOf(arrived, asset), 'treasury']
  const isMoved = purpose === 'sweep' && status !== 'failed'
  if (isMoved) add(`chain:${network}:deposits ${unit}`, left)
  if (isMoved) add(`chain:${network}:${to} ${unit}`, -left)
  if (status === 'failed' || (purpose === 'sweep' && status === 'confirmed'))
    addFee(add, transfer, networkFee, 'cost:network_fee')
}

/**
 * The books that the tables of payments and the signer imply (decisions §47), computed without the ledger's rules: no
 * postings, no transfers between accounts and no facts.
 */
export const booksOf = ({ orders, deposits, refunds, transfers }: BookedRows): Sums => {
  const sums = new Map<string, bigint>()
  const add: Add = (account, amount) => void sums.set(account, (sums.get(account) ?? 0n) + amount)
  for (const order of orders) addCardOrder(add, order)
  for (const deposit of deposits) addDeposits(add, deposit)
  for (const refund of refunds) addRefund(add, refund)
  for (const transfer of transfers) addTransfer(add, transfer)
  return new Map([...sums].filter(([, sum]) => sum !== 0n))
}
