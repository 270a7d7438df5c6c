import type { ListedOrder } from '@causeway/contracts'
import { html, time, type Column } from '../../../design/index.ts'
import { priceOf } from '../../../payments/row.ts'
import { namedLink, type Names } from '../../names.ts'
import { cardOrderPath, cryptoOrderPath } from '../paths.ts'
import { idLink, orderTag, wordsOf } from '../words.ts'

type Choice = Readonly<{
  title: string
  isDefault: boolean
  isNumber?: boolean
  cell: (row: ListedOrder, names: Names) => ReturnType<Column<ListedOrder>['cell']>
}>

/** Columns that a person can choose, in their order. The order itself is always shown. */
const CHOICES = {
  status: { title: 'State', isDefault: true, cell: (row) => orderTag(row.status) },
  amount: { title: 'Price', isDefault: true, isNumber: true, cell: priceOf },
  asset: { title: 'Asset', isDefault: true, cell: (row) => row.asset ?? 'Card' },
  network: { title: 'Network', isDefault: false, cell: (row) => row.network ?? 'None' },
  customer: {
    ...{ title: 'Customer', isDefault: true },
    cell: (row, names) => namedLink(row.partner_customer_id, names),
  },
  partner: {
    ...{ title: 'Partner', isDefault: true },
    cell: (row, names) => namedLink(row.partner_id, names),
  },
  merchant: {
    ...{ title: 'Merchant', isDefault: false },
    cell: (row, names) => namedLink(row.customer_id, names),
  },
  reference: { title: 'Reference', isDefault: false, cell: (row) => row.reference ?? '' },
  created: { title: 'Created', isDefault: true, cell: (row) => time(row.created_at) },
} as const satisfies Readonly<Record<string, Choice>>

type Name = keyof typeof CHOICES
export const COLUMN_NAMES = Object.keys(CHOICES) as Name[]
export const columnTitle = (name: Name): string => CHOICES[name].title

/** Returns the columns that a filter names; those shown by default if it names none. */
export const chosenColumns = (query: URLSearchParams): Name[] => {
  const named = COLUMN_NAMES.filter((name) => query.getAll('columns').includes(name))
  return named.length > 0 ? named : COLUMN_NAMES.filter((name) => CHOICES[name].isDefault)
}

const orderLink = ({ order_id: id, order_key: key }: ListedOrder) =>
  key === null ? idLink(cryptoOrderPath(id), id) : idLink(cardOrderPath(key), key)

/** Returns the columns of the table. */
export const columnsOf = (query: URLSearchParams, names: Names): Column<ListedOrder>[] => [
  { heading: 'Order', cell: (row) => html`${orderLink(row)} <span class="hint">${wordsOf(row.kind)}</span>` },
  ...chosenColumns(query).map((name) => {
    const { title, cell, ...choice }: Choice = CHOICES[name]
    return {
      heading: title,
      cell: (row: ListedOrder) => cell(row, names),
      isNumber: choice.isNumber === true,
    }
  }),
]
