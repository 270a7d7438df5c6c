import { formatMinorUnits, type ListedOrder } from '@causeway/contracts'
import { fiat, fiatOfMinorUnits } from '../design/index.ts'
import type { FileColumns } from '../lists/csv.ts'

/** An order in a list of payments, for any reader. */
export type Payment = Omit<ListedOrder, 'partner_id' | 'customer_id'>

/** Formats the price of an order. */
export const priceOf = ({ kind, amount, currency }: Payment): string =>
  kind === 'card' ? fiatOfMinorUnits(Number(amount), currency) : fiat(amount, currency)

/** Columns of every file of payments. */
export const FILE_COLUMNS = {
  created_at: (row) => row.created_at,
  kind: (row) => row.kind,
  order: (row) => row.order_key ?? row.order_id,
  status: (row) => row.status,
  price: ({ kind, amount, currency }) =>
    kind === 'card' ? formatMinorUnits(Number(amount), currency) : amount,
  currency: (row) => row.currency,
  asset: (row) => row.asset,
  network: (row) => row.network,
  reference: (row) => row.reference,
} as const satisfies FileColumns<Payment>
