import type { Db } from '@causeway/chassis'
import { ENTRY_KINDS, type EntryKind, type ReportType } from '@causeway/contracts'
import { presentAmount } from '../posting/amounts.ts'
import { presentLine } from '../seals/lines.ts'
import { readLinesOfAccounts, type LineRow } from '../seals/store.ts'
import type { Row } from './columns.ts'
import { createOrderSums } from './order-rows.ts'
import type { AccountPeriod } from './store.ts'
import { TAX_SUMS } from './tax-rows.ts'

/** Entries of one read. */
const PAGE = 5_000

/** Types whose rows are sums of entries. */
const SUMS = { orders: createOrderSums, ...TAX_SUMS } as const
const isSummed = (type: ReportType): type is keyof typeof SUMS => type in SUMS

/** The kinds of entries that each type lists. */
const KINDS: Readonly<Record<ReportType, readonly EntryKind[]>> = {
  balance: [],
  activity: ENTRY_KINDS,
  statement: ENTRY_KINDS,
  orders: ENTRY_KINDS,
  dac7: ENTRY_KINDS,
  dac8: ENTRY_KINDS,
  payout: ['payout', 'payout_fee', 'payout_returned'],
  fees: ['service_fee', 'partner_fee', 'fee_returned', 'dispute_fee', 'payout_fee', 'network_fee'],
  refunds: ['refund', 'fee_returned'],
  disputes: ['dispute', 'dispute_fee', 'dispute_reversed'],
}

export const entriesOf = ({ first, last }: AccountPeriod): number => Number(BigInt(last) - BigInt(first) + 1n)

const entryRow = (row: LineRow): Row => {
  const line = presentLine(row)
  return [
    line.partnerCustomerId,
    row.unit,
    line.balance,
    line.entryId,
    line.kind,
    line.amount,
    line.balanceAfter,
    line.orderKey,
    line.orderId,
    line.payoutId,
    line.reverses,
    line.estimated,
    line.effectiveAt,
    line.recordedAt,
  ]
}

const balanceRow = (period: AccountPeriod): Row => {
  const { ownerId, unit, balance, opening, closing } = period
  const change = BigInt(closing) - BigInt(opening)
  const amounts = [opening, change, closing].map((amount) => presentAmount(unit, amount))
  return [ownerId, unit, balance, ...amounts, entriesOf(period)]
}

/** A line of a statement that is no entry: where the balance begins, or ends. */
const edgeRow = ({ ownerId, unit, balance, ...period }: AccountPeriod, edge: 'opening' | 'closing'): Row => {
  const amount = presentAmount(unit, period[edge])
  return [ownerId, unit, balance, null, edge, null, amount, null, null, null, null, null, null, null]
}

type Read = Readonly<{ period: AccountPeriod; first: bigint; last: bigint }>

/** Divides the entries of accounts into reads of at most a page; an account without entries belongs to the next read. */
function* readsOf(periods: readonly AccountPeriod[]): Generator<readonly Read[]> {
  let reads: Read[] = []
  let left = BigInt(PAGE)
  for (const period of periods) {
    let first = BigInt(period.first)
    do {
      const end = BigInt(period.last)
      const last = end < first + left ? end : first + left - 1n
      reads.push({ period, first, last })
      left -= last - first + 1n
      first = last + 1n
      if (left === 0n) {
        yield reads
        reads = []
        left = BigInt(PAGE)
      }
    } while (first <= BigInt(period.last))
  }
  if (reads.length > 0) yield reads
}

async function* linesOf(db: Db['pooled'], periods: readonly AccountPeriod[]) {
  for (const reads of readsOf(periods)) {
    const lines = await readLinesOfAccounts(db, {
      accountIds: reads.map(({ period }) => BigInt(period.accountId)),
      firsts: reads.map(({ first }) => first),
      lasts: reads.map(({ last }) => last),
    })
    yield { reads, byAccount: Map.groupBy(lines, ({ accountId }) => accountId) }
  }
}

/**
 * The rows of a report, a page at a time: by relationship, unit and balance, each account's entries in order; sums by
 * relationship, unit, and order or period.
 */
export async function* rowsOf(
  db: Db['pooled'],
  type: ReportType,
  periods: readonly AccountPeriod[],
): AsyncGenerator<Row[]> {
  if (type === 'balance') {
    yield periods.map(balanceRow)
    return
  }
  const wanted = new Set(KINDS[type])
  const sums = isSummed(type) ? SUMS[type]() : null
  for await (const { reads, byAccount } of linesOf(db, periods)) {
    const rows: Row[] = []
    for (const { period, first, last } of reads) {
      const lines = (byAccount.get(period.accountId) ?? []).filter(({ kind }) => wanted.has(kind))
      if (type === 'statement' && first === BigInt(period.first)) rows.push(edgeRow(period, 'opening'))
      if (sums === null) rows.push(...lines.map(entryRow))
      else sums.add(lines)
      if (type === 'statement' && last === BigInt(period.last)) rows.push(edgeRow(period, 'closing'))
    }
    yield rows
  }
  if (sums !== null) yield sums.rows()
}
