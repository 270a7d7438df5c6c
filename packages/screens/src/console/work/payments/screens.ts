import { orders, type ListedOrder } from '@causeway/contracts'
import { errorSummary, html, type Html } from '../../../design/index.ts'
import { formWith, titleOf, type FormState } from '../../../form-state.ts'
import { csvFile, readNewest, type FileColumns } from '../../../lists/csv.ts'
import { withAdvice } from '../../../payments/fields.ts'
import { paymentList, readFullPage, type ReadPage } from '../../../payments/list.ts'
import { FILE_COLUMNS } from '../../../payments/row.ts'
import { answerRefusedForm, pageOf } from '../../../replies.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { consolePage, type StaffRequest } from '../../frame.ts'
import { readPartners } from '../../lists/partner-choice.ts'
import { readNames, type Names } from '../../names.ts'
import { PAYMENTS_FILE_PATH, PAYMENTS_PATH } from '../paths.ts'
import { columnsOf } from './columns.ts'
import { filterOf, isFiltered, paymentFilter, withFilter } from './filter.ts'

/** Reads a page of the orders that a filter selects. */
const readerOf =
  ({ ask, query }: StaffRequest): ReadPage<ListedOrder> =>
  async (page) => {
    const reply = await ask(orders.list, { query: { ...filterOf(query), ...page } })
    return reply.ok ? { ok: true, rows: reply.value.orders, next: reply.value.next_cursor } : reply
  }

const idsOf = (rows: readonly ListedOrder[]) =>
  rows.map((row) => [row.partner_customer_id, row.partner_id, row.customer_id])

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
const ADVICE = {
  customer_id: 'Enter an id that begins with cus_, or find the merchant by name.',
  partner_id: 'Enter an id that begins with prt_.',
}

/** Lists the crypto and card orders of all partners, newest first. */
const list = async (request: StaffRequest): Promise<Answer> => {
  const { query } = request
  const [reply, partners] = await Promise.all([
    readFullPage(request, readerOf(request)),
    readPartners(request),
  ])
  if (!reply.ok && reply.code !== 'invalid_request') return { kind: 'error', code: reply.code }
  if (!reply.ok)
    return answerRefusedForm(reply, query, (state, status) =>
      pageOf(paymentsPage(request, { state: withAdvice(state, ADVICE), partners, list: false }), status),
    )
  const names = await readNames(request, idsOf(reply.rows))
  return pageOf(
    paymentsPage(request, {
      state: formWith(query),
      partners,
      list: paymentList(request, {
        path: PAYMENTS_PATH,
        filePath: withFilter(PAYMENTS_FILE_PATH, query),
        columns: columnsOf(query, names),
        page: reply,
        isFiltered: isFiltered(query),
      }),
    }),
  )
}

/** Columns of the file: all of them, whichever the page shows. */
const fileColumns = (names: Names): FileColumns<ListedOrder> => ({
  ...FILE_COLUMNS,
  customer_name: (row) => names.get(row.partner_customer_id) ?? null,
  partner_customer_id: (row) => row.partner_customer_id,
  customer_id: (row) => row.customer_id,
  partner_name: (row) => names.get(row.partner_id) ?? null,
  partner_id: (row) => row.partner_id,
})

/** Sends the payments of a filter as CSV, the newest first. */
const download = async (request: StaffRequest): Promise<Answer> => {
  const newest = await readNewest(readerOf(request))
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
