import { formatMinorUnits, orders, type ListedOrder } from '@causeway/contracts'
import { errorSummary, html, notice, pagination, table, type Html } from '../../../design/index.ts'
import { formWith, titleOf, type FormState } from '../../../form-state.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { answerRefusedForm, pageOf } from '../../../replies.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { consolePage, type StaffRequest } from '../../frame.ts'
import { csvFile, readNewest, type FileColumns } from '../../lists/csv.ts'
import { downloadLink } from '../../lists/filter.ts'
import { readPartners } from '../../lists/partner-choice.ts'
import { readNames, type Names } from '../../names.ts'
import { PAYMENTS_FILE_PATH, PAYMENTS_PATH } from '../paths.ts'
import { columnsOf } from './columns.ts'
import { filterOf, isFiltered, paymentFilter, withFilter } from './filter.ts'

const PAGE_ROWS = 50
/** Maximum calls to fill a page. Each looks at up to 500 orders of each kind. */
const MAX_CALLS = 4

/** Reads a page. A filter may leave few orders of a call, so it calls again until the page is full. */
const readPage = async (request: StaffRequest) => {
  const { ask, query } = request
  const filter = filterOf(query)
  const rows: ListedOrder[] = []
  let from: Readonly<{ cursor?: string }> = cursorOf(request)
  for (let calls = 1; ; calls += 1) {
    const limit = String(PAGE_ROWS - rows.length)
    const reply = await ask(orders.list, { query: { ...filter, ...from, limit } })
    if (!reply.ok) return reply
    const { orders: found, next_cursor: next } = reply.value
    rows.push(...found)
    if (next === null || rows.length >= PAGE_ROWS || calls === MAX_CALLS)
      return { ok: true as const, rows, next }
    from = { cursor: next }
  }
}

const idsOf = (rows: readonly ListedOrder[]) =>
  rows.map((row) => [row.partner_customer_id, row.partner_id, row.customer_id])

type Page = Readonly<{ rows: readonly ListedOrder[]; next: string | null; names: Names }>

const paymentList = (request: StaffRequest, { rows, next, names }: Page): Html => {
  const { query } = request
  const isShort = next !== null && rows.length < PAGE_ROWS
  return html`${table({
    caption: 'Payments, newest first',
    columns: columnsOf(query, names),
    rows,
    empty: isShort
      ? 'No payments on this page match the filter.'
      : isFiltered(query)
        ? 'No payments match the filter.'
        : 'No payments yet.',
  })}
  ${isShort && notice('neutral', 'There may be older payments that match.', 'Continue with the next page, or choose a time.')}
  ${pagination(pageLinks(PAYMENTS_PATH, request, next))}
  ${rows.length > 0 && downloadLink(withFilter(PAYMENTS_FILE_PATH, query))}`
}

type Shown = Readonly<{
  state: FormState
  partners: Parameters<typeof paymentFilter>[1]
  list: Html | false
}>

const paymentsPage = ({ session }: StaffRequest, { state, partners, list }: Shown): Html =>
  consolePage({
    session,
    current: PAYMENTS_PATH,
    title: titleOf('Payments', state),
    main: html`<h1>Payments</h1>
      ${errorSummary(state.errors, 'Correct these errors:')}
      <p>
        Crypto and card orders of all partners. To find one, <a href="/console/search">search</a> by its id,
        reference, address or transaction. A bookmark of this page keeps the filter.
      </p>
      ${paymentFilter(state, partners)} ${list}`,
  })

/** Fields whose errors name a pattern, each with what to enter. */
const ADVICE: Readonly<Record<string, string>> = {
  customer_id: 'Enter an id that begins with cus_, or find the merchant by name.',
  partner_id: 'Enter an id that begins with prt_.',
  amount_from: 'Enter an amount, for example 12.50.',
  amount_to: 'Enter an amount, for example 12.50.',
}

const withAdvice = (state: FormState): FormState => ({
  ...state,
  errors: Object.fromEntries(
    Object.entries(state.errors).map(([name, error]) => [name, ADVICE[name] ?? error]),
  ),
})

/** Lists the crypto and card orders of all partners, newest first. */
const list = async (request: StaffRequest): Promise<Answer> => {
  const { query } = request
  const [reply, partners] = await Promise.all([readPage(request), readPartners(request)])
  if (!reply.ok && reply.code !== 'invalid_request') return { kind: 'error', code: reply.code }
  if (!reply.ok)
    return answerRefusedForm(reply, query, (state, status) =>
      pageOf(paymentsPage(request, { state: withAdvice(state), partners, list: false }), status),
    )
  const names = await readNames(request, idsOf(reply.rows))
  return pageOf(
    paymentsPage(request, {
      state: formWith(query),
      partners,
      list: paymentList(request, { ...reply, names }),
    }),
  )
}

const priceOf = ({ kind, amount, currency }: ListedOrder): string =>
  kind === 'card' ? formatMinorUnits(Number(amount), currency) : amount

/** Columns of the file: all of them, whichever the page shows. */
const fileColumns = (names: Names): FileColumns<ListedOrder> => ({
  created_at: (row) => row.created_at,
  kind: (row) => row.kind,
  order: (row) => row.order_key ?? row.order_id,
  status: (row) => row.status,
  price: priceOf,
  currency: (row) => row.currency,
  asset: (row) => row.asset,
  network: (row) => row.network,
  reference: (row) => row.reference,
  customer_name: (row) => names.get(row.partner_customer_id) ?? null,
  partner_customer_id: (row) => row.partner_customer_id,
  customer_id: (row) => row.customer_id,
  partner_name: (row) => names.get(row.partner_id) ?? null,
  partner_id: (row) => row.partner_id,
})

/** Sends the payments of a filter as CSV, the newest first. */
const download = async (request: StaffRequest): Promise<Answer> => {
  const { ask, query } = request
  const filter = filterOf(query)
  const newest = await readNewest(async (page) => {
    const reply = await ask(orders.list, { query: { ...filter, ...page } })
    return reply.ok ? { ok: true, rows: reply.value.orders, next: reply.value.next_cursor } : reply
  })
  if (!newest.ok) return { kind: 'error', code: newest.code }
  const names = await readNames(
    request,
    newest.rows.map((row) => [row.partner_customer_id, row.partner_id]),
  )
  return csvFile('payments', fileColumns(names), newest)
}

/** The list of payments. */
export const paymentScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: PAYMENTS_PATH, answer: list }),
  sessionScreen('console', { method: 'GET', path: PAYMENTS_FILE_PATH, answer: download }),
]
