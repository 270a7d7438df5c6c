import { orders, type MerchantOrder } from '@causeway/contracts'
import type { z } from 'zod'
import { orderTag, wordsOf } from '../console/work/words.ts'
import {
  definitionList,
  errorSummary,
  filterForm,
  html,
  linkButton,
  submit,
  textField,
  time,
  type Column,
  type Fact,
  type Html,
} from '../design/index.ts'
import { formWith, titleOf, type FormState } from '../form-state.ts'
import { csvFile, readNewest } from '../lists/csv.ts'
import { withFields } from '../lists/filter.ts'
import {
  PRICE_FIELDS,
  priceFields,
  queryOf,
  STATE_FIELDS,
  stateFields,
  withAdvice,
} from '../payments/fields.ts'
import { paymentList, readFullPage, type ReadPage } from '../payments/list.ts'
import { FILE_COLUMNS, priceOf, type Payment } from '../payments/row.ts'
import { answerRefusedForm, pageOf } from '../replies.ts'
import type { Answer } from '../screen.ts'
import { readMoney } from './balances/order.ts'
import { PAYMENTS_PATH, portalPage, type PortalRequest, type PortalSession } from './frame.ts'

export const PAYMENTS_FILE_PATH = `${PAYMENTS_PATH}.csv`

type Filter = Omit<z.input<(typeof orders)['listByMerchant']['query']>, 'limit' | 'before'>
const FIELDS = ['search', ...STATE_FIELDS, ...PRICE_FIELDS] as const

const ofMerchant = (order: MerchantOrder): Payment => ({
  kind: order.kind,
  order_id: order.orderId,
  order_key: order.orderKey,
  reference: order.reference,
  status: order.status,
  amount: order.amount,
  currency: order.currency,
  network: order.network,
  asset: order.asset,
  partner_customer_id: order.partnerCustomerId,
  created_at: order.createdAt,
})

/** Reads a page of the orders of the signed-in merchant, or of all customers of the partner. */
const readerOf = ({ ask, session: { principal }, query }: PortalRequest): ReadPage<Payment> => {
  const filter = queryOf(query, FIELDS) as Filter
  return async ({ limit, cursor }) => {
    if (principal.kind === 'merchant') {
      const before = cursor === undefined ? {} : { before: cursor }
      const reply = await ask(orders.listByMerchant, { query: { ...filter, ...before, limit } })
      if (!reply.ok) return reply
      return { ok: true, rows: reply.value.orders.map(ofMerchant), next: reply.value.nextCursor }
    }
    const params = { partnerId: principal.partnerId }
    const from = cursor === undefined ? {} : { cursor }
    const reply = await ask(orders.listOfPartner, { params, query: { ...filter, ...from, limit } })
    return reply.ok ? { ok: true, rows: reply.value.orders, next: reply.value.next_cursor } : reply
  }
}

/** A card order is named by its short key, a crypto order by its id. */
const nameOf = ({ order_id: id, order_key: key }: Payment): Html =>
  key === null ? html`<code class="hash">${id}</code>` : html`<code>${key}</code>`

const orderLink = (order: Payment): Html =>
  html`<a href="${PAYMENTS_PATH}/${order.order_id}">${nameOf(order)}</a>`

const columnsFor = ({ principal: { kind } }: PortalSession): Column<Payment>[] => [
  {
    heading: 'Order',
    cell: (row) => html`${orderLink(row)} <span class="hint">${wordsOf(row.kind)}</span>`,
  },
  { heading: 'State', cell: (row) => orderTag(row.status) },
  { heading: 'Price', cell: priceOf, isNumber: true },
  { heading: 'Asset', cell: (row) => row.asset ?? 'Card' },
  { heading: 'Reference', cell: (row) => row.reference ?? '' },
  ...(kind === 'partner'
    ? [
        {
          heading: 'Customer',
          cell: (row: Payment) => html`<code class="hash">${row.partner_customer_id}</code>`,
        },
      ]
    : []),
  { heading: 'Created', cell: (row) => time(row.created_at) },
]

const filterOf = (state: FormState): Html =>
  filterForm(
    PAYMENTS_PATH,
    html`${textField({
        ...{ name: 'search', label: 'Reference or id', value: state.entered.get('search') ?? '' },
        ...{ hint: 'In full', error: state.errors['search'] },
      })}
      ${stateFields(state)} ${priceFields(state)}
      <p class="actions">${submit('Filter', 'quiet')} ${linkButton(PAYMENTS_PATH, 'Show all', 'quiet')}</p>`,
  )

const paymentsPage = ({ session }: PortalRequest, state: FormState, list: Html | false): Html =>
  portalPage({
    session,
    current: PAYMENTS_PATH,
    title: titleOf('Payments', state),
    main: html`<h1>Payments</h1>
      ${errorSummary(state.errors, 'Correct these errors:')}
      <p>
        ${session.principal.kind === 'partner' ? 'Crypto and card orders of all your customers.' : 'Your crypto and card orders.'}
        A bookmark of this page keeps the filter.
      </p>
      ${filterOf(state)} ${list}`,
  })

/** Lists the crypto and card orders of a merchant, or of all customers of a partner, newest first. */
export const listPayments = async (request: PortalRequest): Promise<Answer> => {
  const { query, session } = request
  const reply = await readFullPage(request, readerOf(request))
  if (!reply.ok && reply.code !== 'invalid_request') return { kind: 'error', code: reply.code }
  if (!reply.ok)
    return answerRefusedForm(reply, query, (state, status) =>
      pageOf(paymentsPage(request, withAdvice(state), false), status),
    )
  const list = paymentList(request, {
    path: PAYMENTS_PATH,
    filePath: withFields(PAYMENTS_FILE_PATH, query, FIELDS),
    columns: columnsFor(session),
    page: reply,
    isFiltered: withFields('', query, FIELDS) !== '',
  })
  return pageOf(paymentsPage(request, formWith(query), list))
}

/** Sends the payments of a filter as CSV, the newest first. */
export const downloadPayments = async (request: PortalRequest): Promise<Answer> => {
  const newest = await readNewest(readerOf(request))
  if (!newest.ok) return { kind: 'error', code: newest.code }
  const columns = { ...FILE_COLUMNS, partner_customer_id: (row: Payment) => row.partner_customer_id }
  return csvFile('payments', columns, newest)
}

/** Facts of an order. Its customer is shown to the partner. */
const factsOf = (row: Payment, isOfPartner: boolean): Fact[] => [
  { term: 'Kind', value: wordsOf(row.kind) },
  { term: 'Price', value: priceOf(row) },
  ...(row.asset === null ? [] : [{ term: 'Asset', value: `${row.asset} on ${row.network ?? ''}` }]),
  ...(row.order_key === null ? [] : [{ term: 'Order key', value: html`<code>${row.order_key}</code>` }]),
  ...(row.reference === null ? [] : [{ term: 'Reference', value: row.reference }]),
  { term: isOfPartner ? 'Customer' : 'Relationship', value: html`<code>${row.partner_customer_id}</code>` },
  { term: 'Created', value: time(row.created_at) },
  { term: 'Page for the buyer', value: html`<a href="/pay/${row.order_id}">State and receipt</a>` },
]

/** Shows an order by its id or key: to its merchant with the way of its money, to the partner without. */
export const showPayment = async (request: PortalRequest): Promise<Answer> => {
  const { session, params } = request
  const asked = params['orderId'] ?? ''
  const found = await readerOf({ ...request, query: new URLSearchParams({ search: asked }) })({
    limit: '100',
  })
  // The operation refuses a text that is too long for an id.
  if (!found.ok && found.code !== 'invalid_request') return { kind: 'error', code: found.code }
  const row = found.ok
    ? found.rows.find(({ order_id: id, order_key: key }) => [id, key].includes(asked))
    : undefined
  if (row === undefined) return { kind: 'error', code: 'resource_not_found' }
  const isOfPartner = session.principal.kind === 'partner'
  const { order_id: orderId, order_key: key } = row
  const order =
    key === null ? ({ by: 'order_id', name: orderId } as const) : ({ by: 'order_key', name: key } as const)
  const money = isOfPartner ? null : await readMoney(request, order, `${PAYMENTS_PATH}/${orderId}`)
  if (money !== null && !money.ok) return { kind: 'error', code: money.code }
  return pageOf(
    portalPage({
      session,
      current: PAYMENTS_PATH,
      title: `Payment ${key ?? orderId}`,
      main: html`<h1>Payment ${nameOf(row)} ${orderTag(row.status)}</h1>
        <section class="sheet" aria-label="Payment">${definitionList(factsOf(row, isOfPartner))}</section>
        ${money !== null && money.sections}`,
    }),
  )
}
