import type { EntryKind } from '@causeway/contracts'
import { partsOfUnit, presentAmount } from '../posting/amounts.ts'
import type { LineRow } from '../seals/store.ts'
import type { Row } from './columns.ts'

/**
 * Fields that the directives ask for and the books do not have. They are named in each row, so that a file is not taken for
 * a complete one: DAC7 is Directive (EU) 2021/514, Annex V, section III B; DAC8 is Directive (EU) 2023/2226, Annex VI,
 * section II B.
 */
const MISSING = {
  dac7: [
    ...['name', 'primary_address', 'tin', 'tin_issued_by', 'vat_number', 'business_registration_number'],
    ...['date_of_birth', 'permanent_establishments', 'account_identifier', 'account_holder', 'taxes'],
  ].join(';'),
  dac8: [
    ...['name', 'address', 'residence', 'tin', 'date_of_birth', 'controlling_persons'],
    ...['fair_market_value', 'transfer_types'],
  ].join(';'),
}

/** Kinds that add up to what payers paid a seller and did not get back. A split is the other seller's. */
const PAID: ReadonlySet<EntryKind> = new Set([
  ...(['payment', 'deposit', 'deposit_reverted', 'split'] as const),
  ...(['refund', 'dispute', 'dispute_reversed'] as const),
])
const FEES: ReadonlySet<EntryKind> = new Set([
  ...(['service_fee', 'partner_fee', 'fee_returned'] as const),
  ...(['dispute_fee', 'payout_fee', 'network_fee'] as const),
])
/** Entries that stand for a sale. */
const SALES: ReadonlySet<EntryKind> = new Set(['payment', 'deposit'])

type Sums = Readonly<{
  add: (lines: readonly LineRow[]) => void
  rows: () => Row[]
}>

/** Sums of groups, which are listed by their keys. */
const createGroups = <T>(create: (line: LineRow, period: string) => T) => {
  const groups = new Map<string, T>()
  return {
    of(line: LineRow, period: string): T {
      const key = `${line.ownerId} ${line.unit} ${period}`
      const group = groups.get(key) ?? create(line, period)
      groups.set(key, group)
      return group
    },
    sorted: (): T[] => [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group),
  }
}

const quarterOf = (at: Date): string => `${at.getUTCFullYear()}-Q${Math.floor(at.getUTCMonth() / 3) + 1}`

type Seller = Readonly<{ ownerId: string; unit: string; quarter: string; orders: Set<string> }> & {
  paid: bigint
  fees: bigint
}

/** DAC7: consideration net of fees, fees, and sales of each relationship, unit and quarter. */
const sumSellers = (): Sums => {
  const sellers = createGroups<Seller>(({ ownerId, unit }, quarter) => ({
    ...{ ownerId, unit, quarter, orders: new Set<string>() },
    ...{ paid: 0n, fees: 0n },
  }))
  const add = (line: LineRow): void => {
    const isPaid = PAID.has(line.kind)
    if (!isPaid && !FEES.has(line.kind)) return
    const seller = sellers.of(line, quarterOf(line.recordedAt))
    if (isPaid) seller.paid += BigInt(line.amount)
    else seller.fees -= BigInt(line.amount)
    const order = line.orderKey ?? line.orderId
    if (SALES.has(line.kind) && order !== null) seller.orders.add(order)
  }
  const rowOf = ({ ownerId, unit, quarter, orders, paid, fees }: Seller): Row => [
    ...[ownerId, unit, quarter],
    ...[presentAmount(unit, paid - fees), presentAmount(unit, fees)],
    ...[orders.size, MISSING.dac7],
  ]
  return { add: (lines) => lines.forEach(add), rows: () => sellers.sorted().map(rowOf) }
}

type Holder = Readonly<{ ownerId: string; unit: string; year: string }> & {
  received: bigint
  receipts: number
  sent: bigint
  transfers: number
}

/** DAC8: units of each asset that a relationship was paid in, and that were sent to it, by year. */
const sumHolders = (): Sums => {
  const holders = createGroups<Holder>(({ ownerId, unit }, year) => ({
    ...{ ownerId, unit, year },
    ...{ received: 0n, receipts: 0, sent: 0n, transfers: 0 },
  }))
  const add = (line: LineRow): void => {
    if ('currency' in partsOfUnit(line.unit)) return
    const amount = BigInt(line.amount)
    const isReceipt = line.kind === 'deposit' || line.kind === 'deposit_reverted'
    // The other balance of a payout is what is on the way.
    const isTransfer =
      line.balance === 'available' && (line.kind === 'payout' || line.kind === 'payout_returned')
    if (!isReceipt && !isTransfer) return
    const holder = holders.of(line, String(line.recordedAt.getUTCFullYear()))
    if (isReceipt) {
      holder.received += amount
      holder.receipts += amount > 0n ? 1 : -1
    } else {
      holder.sent -= amount
      holder.transfers += amount < 0n ? 1 : -1
    }
  }
  const rowOf = ({ ownerId, unit, year, received, receipts, sent, transfers }: Holder): Row => [
    ...[ownerId, unit, year],
    ...[presentAmount(unit, received), receipts],
    ...[presentAmount(unit, sent), transfers],
    MISSING.dac8,
  ]
  return { add: (lines) => lines.forEach(add), rows: () => holders.sorted().map(rowOf) }
}

/** The sums of reports for tax authorities (decisions §52). */
export const TAX_SUMS = { dac7: sumSellers, dac8: sumHolders } as const
