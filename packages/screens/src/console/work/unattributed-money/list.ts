import {
  unattributedMoney,
  UnattributedMoneyKind,
  UnattributedMoneyStatus,
  type UnattributedMoney,
} from '@causeway/contracts'
import {
  filterForm,
  html,
  pagination,
  selectField,
  submit,
  table,
  time,
  type Html,
} from '../../../design/index.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { pageOf } from '../../../replies.ts'
import type { Answer } from '../../../screen.ts'
import { consolePage, type StaffRequest } from '../../frame.ts'
import { namedLink, readNames, type Names } from '../../names.ts'
import { UNATTRIBUTED_MONEY_PATH, unattributedMoneyPath } from '../paths.ts'
import { orderTag } from '../words.ts'
import { amountOf, END_WORDS, KIND_WORDS, orderLink } from './words.ts'

type Filter = Readonly<{ status: UnattributedMoneyStatus; kind: UnattributedMoneyKind | undefined }>

const filterOf = ({ query }: StaffRequest): Filter => ({
  status: UnattributedMoneyStatus.safeParse(query.get('status')).data ?? 'open',
  kind: UnattributedMoneyKind.safeParse(query.get('kind')).data,
})

const STATUS_TEXTS: Readonly<Record<UnattributedMoneyStatus, string>> = {
  open: 'To decide',
  refunding: 'Refund in progress',
  ended: 'Closed',
}

const filters = ({ status, kind }: Filter): Html =>
  filterForm(
    UNATTRIBUTED_MONEY_PATH,
    html`${selectField({
        name: 'status',
        label: 'State',
        value: status,
        options: UnattributedMoneyStatus.options.map((value) => ({ value, text: STATUS_TEXTS[value] })),
        isRequired: true,
      })}
      ${selectField({
        name: 'kind',
        label: 'Kind',
        value: kind ?? '',
        options: [
          { value: '', text: 'Any kind' },
          ...UnattributedMoneyKind.options.map((value) => ({ value, text: KIND_WORDS[value] })),
        ],
      })}
      <p class="actions">${submit('Filter', 'quiet')}</p>`,
  )

/** Replaces spaces so that an amount and its unit stay on one line. */
const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0')

const moneyTable = (rows: readonly UnattributedMoney[], { status }: Filter, names: Names): Html =>
  table({
    caption: `${STATUS_TEXTS[status]}, oldest first`,
    columns: [
      {
        heading: 'Amount',
        cell: (row) =>
          html`<a href="${unattributedMoneyPath(row.unattributed_money_id)}">${unbroken(amountOf(row))}</a>`,
      },
      { heading: 'Kind', cell: (row) => KIND_WORDS[row.kind] },
      { heading: 'Arrived', cell: (row) => time(row.received_at) },
      {
        heading: 'Order',
        cell: (row) =>
          html`${orderLink(row) ?? 'None'} ${row.order_status !== null && orderTag(row.order_status)}`,
      },
      {
        heading: 'Customer',
        cell: ({ partner_customer_id: id }) => (id === null ? 'Unknown' : namedLink(id, names)),
      },
      { heading: 'Partner', cell: ({ partner_id: id }) => (id === null ? 'Unknown' : namedLink(id, names)) },
      ...(status === 'ended'
        ? [
            {
              heading: 'Resolution',
              cell: (row: UnattributedMoney) => (row.ended_by === null ? '' : END_WORDS[row.ended_by]),
            },
          ]
        : []),
    ],
    rows,
    empty: status === 'open' ? 'No amounts to decide on.' : 'No amounts match the filter.',
  })

/** Lists the amounts that count for no order. */
export const showList = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session } = request
  const filter = filterOf(request)
  const { status, kind } = filter
  const query = { status, ...(kind !== undefined && { kind }), ...cursorOf(request) }
  const reply = await ask(unattributedMoney.list, { query })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { unattributed_money: rows, next_cursor: next } = reply.value
  const names = await readNames(
    request,
    rows.map((row) => [row.partner_customer_id, row.partner_id]),
  )
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: 'Unattributed money',
      main: html`<h1>Unattributed money</h1>
        <p>
          Deposits and card payments that count for no order. Open one to refund it, to apply it with the
          merchant’s consent, or to record a different resolution.
        </p>
        ${filters(filter)} ${moneyTable(rows, filter, names)}
        ${pagination(pageLinks(UNATTRIBUTED_MONEY_PATH, request, next))}`,
    }),
  )
}
