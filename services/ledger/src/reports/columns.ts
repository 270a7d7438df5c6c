import type { LedgerAmount, ReportType } from '@causeway/contracts'

/** A value of a report: an amount is an integer of minor units, or the decimal number of an asset as text. */
export type Cell = string | boolean | LedgerAmount | null
/** Values of a row, in the order of the columns. */
export type Row = readonly Cell[]
/** How a column is written where a format has types. Times are ISO 8601 in UTC. */
export type Column = Readonly<{ name: string; type: 'text' | 'amount' | 'boolean' | 'time' | 'integer' }>

const columnsOf = (type: Column['type'], ...names: string[]): Column[] =>
  names.map((name) => ({ name, type }))

const ACCOUNT = columnsOf('text', 'partner_customer_id', 'unit', 'balance')
const ENTRIES: readonly Column[] = [
  ...ACCOUNT,
  ...columnsOf('text', 'entry_id', 'kind'),
  ...columnsOf('amount', 'amount', 'balance_after'),
  ...columnsOf('text', 'order_key', 'order_id', 'payout_id', 'reverses'),
  ...columnsOf('boolean', 'estimated'),
  ...columnsOf('time', 'effective_at', 'recorded_at'),
]
const BALANCES: readonly Column[] = [
  ...ACCOUNT,
  ...columnsOf('amount', 'opening', 'change', 'closing'),
  ...columnsOf('integer', 'entries'),
]
const ORDERS: readonly Column[] = [
  ...columnsOf('text', 'partner_customer_id', 'unit', 'order_key', 'order_id'),
  ...columnsOf('amount', 'received', 'fees', 'refunded', 'disputed', 'net'),
  ...columnsOf('time', 'first_recorded_at', 'last_recorded_at'),
]

const SELLERS: readonly Column[] = [
  ...columnsOf('text', 'partner_customer_id', 'unit', 'quarter'),
  ...columnsOf('amount', 'consideration', 'fees'),
  ...columnsOf('integer', 'activities'),
  ...columnsOf('text', 'missing_fields'),
]
const HOLDERS: readonly Column[] = [
  ...columnsOf('text', 'partner_customer_id', 'unit', 'year'),
  ...columnsOf('amount', 'received'),
  ...columnsOf('integer', 'receipts'),
  ...columnsOf('amount', 'sent'),
  ...columnsOf('integer', 'transfers'),
  ...columnsOf('text', 'missing_fields'),
]

/** The columns of each type of report (decisions §48, §52). */
export const COLUMNS: Readonly<Record<ReportType, readonly Column[]>> = {
  balance: BALANCES,
  activity: ENTRIES,
  payout: ENTRIES,
  fees: ENTRIES,
  orders: ORDERS,
  refunds: ENTRIES,
  disputes: ENTRIES,
  statement: ENTRIES,
  dac7: SELLERS,
  dac8: HOLDERS,
}
