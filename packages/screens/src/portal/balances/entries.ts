import {
  balanceEntries,
  BalanceName,
  EntryKind,
  ENTRY_KINDS,
  LedgerUnit,
  type LedgerAmount,
  type MerchantBalanceEntry,
} from '@causeway/contracts'
import type { z } from 'zod'
import {
  amountInUnit,
  errorSummary,
  filterForm,
  html,
  pagination,
  selectField,
  submit,
  table,
  textField,
  time,
  type Column,
  type FieldErrors,
  type Html,
} from '../../design/index.ts'
import { pageLinks } from '../../paging.ts'
import { pageOf } from '../../replies.ts'
import type { Answer } from '../../screen.ts'
import { wordsOf } from '../../console/work/words.ts'
import { portalPage, type PortalRequest } from '../frame.ts'
import { BALANCES_PATH, ENTRIES_PATH, orderPath, payoutPath } from './paths.ts'

type Entry = z.output<typeof MerchantBalanceEntry>

/** Links to the way of the order's money. */
const orderOf = ({ orderKey, orderId }: Pick<Entry, 'orderKey' | 'orderId'>): Html | string => {
  const link = (by: 'order_key' | 'order_id', order: string) =>
    html`<a href="${orderPath(by, order)}"><code>${order}</code></a>`
  if (orderKey !== null) return link('order_key', orderKey)
  return orderId === null ? '' : link('order_id', orderId)
}

/** Renders entries. @param paidAmount the part of an entry that a payout pays, for the entries of one */
export const entryTable = <Row extends Entry>(
  caption: string,
  rows: readonly Row[],
  paidAmount?: (row: Row) => LedgerAmount,
): Html => {
  const columns: Column<Row>[] = [
    { heading: 'Recorded', cell: ({ recordedAt }) => time(recordedAt) },
    {
      heading: 'Kind',
      cell: ({ kind, estimated }) => (estimated ? `${wordsOf(kind)} (estimated)` : wordsOf(kind)),
    },
    { heading: 'Amount', cell: ({ amount, unit }) => amountInUnit(amount, unit), isNumber: true },
    ...(paidAmount === undefined
      ? [
          { heading: 'Balance', cell: ({ balance }: Row) => wordsOf(balance) },
          {
            heading: 'Balance after',
            cell: ({ balanceAfter, unit }: Row) => amountInUnit(balanceAfter, unit),
            isNumber: true,
          },
        ]
      : [
          {
            heading: 'Paid here',
            cell: (row: Row) => amountInUnit(paidAmount(row), row.unit),
            isNumber: true,
          },
        ]),
    { heading: 'Order', cell: orderOf },
    ...(paidAmount === undefined
      ? [
          {
            heading: 'Payout',
            cell: ({ payoutId }: Row) =>
              payoutId === null ? '' : html`<a href="${payoutPath(payoutId)}"><code>${payoutId}</code></a>`,
          },
        ]
      : []),
  ]
  return table({ caption, columns, rows, empty: 'No entries.' })
}

const optionsOf = (codes: readonly string[]) => [
  { value: '', text: 'All' },
  ...codes.map((value) => ({ value, text: wordsOf(value) })),
]

const filters = (query: URLSearchParams, errors: FieldErrors): Html =>
  filterForm(
    ENTRIES_PATH,
    html`${textField({
        name: 'unit',
        label: 'Unit',
        hint: 'EUR, or ETH/USDC',
        value: query.get('unit') ?? '',
        error: errors['unit'],
      })}
      ${selectField({ name: 'balance', label: 'Balance', value: query.get('balance') ?? '', options: optionsOf(BalanceName.options) })}
      ${selectField({ name: 'kind', label: 'Kind', value: query.get('kind') ?? '', options: optionsOf(ENTRY_KINDS) })}
      <p class="actions">${submit('Filter', 'quiet')}</p>`,
  )

/** Lists the entries that add up to the merchant's balances. */
export const listEntries = async (request: PortalRequest): Promise<Answer> => {
  const { ask, session, query } = request
  const entered = (query.get('unit') ?? '').trim()
  const unit = LedgerUnit.safeParse(entered)
  const isUnit = entered === '' || unit.success
  const kind = EntryKind.safeParse(query.get('kind')).data
  const balance = BalanceName.safeParse(query.get('balance')).data
  const before = query.get('cursor')
  const errors: FieldErrors = isUnit ? {} : { unit: 'Enter a currency, for example EUR.' }
  const reply = await ask(balanceEntries.listByMerchant, {
    query: {
      ...(unit.success && { unit: unit.data }),
      ...(kind !== undefined && { kind }),
      ...(balance !== undefined && { balance }),
      ...(before !== null && { before }),
    },
  })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { balanceEntries: rows, nextCursor } = reply.value
  return pageOf(
    portalPage({
      session,
      current: BALANCES_PATH,
      title: isUnit ? 'Entries' : 'Error: Entries',
      main: html`<h1>Entries</h1>
        <p>A balance is the sum of its entries.</p>
        ${errorSummary(errors, 'Correct this error:')} ${filters(query, errors)}
        ${isUnit && html`${entryTable('Entries, newest first', rows)} ${pagination(pageLinks(ENTRIES_PATH, request, nextCursor))}`}`,
    }),
    isUnit ? 200 : 400,
  )
}
