import { relationships, type ListedCustomer, type Partner } from '@causeway/contracts'
import { errorSummary, html, pagination, statusTag, table, time, type Html } from '../../../design/index.ts'
import { formWith, titleOf, type FormState } from '../../../form-state.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { answerRefusedForm, pageOf } from '../../../replies.ts'
import type { Answer } from '../../../screen.ts'
import { consolePage, type StaffRequest } from '../../frame.ts'
import { downloadLink } from '../../../lists/filter.ts'
import { readPartners } from '../../lists/partner-choice.ts'
import { readNames, type Names } from '../../names.ts'
import { customerPath, CUSTOMERS_FILE_PATH, CUSTOMERS_PATH } from '../paths.ts'
import { caseTag, idLink, wordsOf } from '../words.ts'
import { customerFilter, filterOf, withFilter } from './filter.ts'

type Known = Readonly<{ all: readonly Partner[] | null; names: Names }>

const partnerLink = (id: string, names: Names): Html => {
  const name = names.get(id)
  const path = `/console/partners/${id}`
  return name === undefined ? idLink(path, id) : html`<a href="${path}">${name}</a>`
}

const relationshipTag = ({ relationship_status: status, link_confirmed: isConfirmed }: ListedCustomer) =>
  status === 'active'
    ? html`${statusTag('good', wordsOf(status))} ${!isConfirmed && statusTag('warning', 'Link to confirm')}`
    : statusTag('neutral', wordsOf(status))

const customersTable = (rows: readonly ListedCustomer[], { names }: Known, isFiltered: boolean): Html =>
  table({
    caption: 'Customers, newest first',
    columns: [
      {
        heading: 'Customer',
        cell: ({ partner_customer_id: id, customer: { name } }) =>
          name === null ? idLink(customerPath(id), id) : html`<a href="${customerPath(id)}">${name}</a>`,
      },
      { heading: 'Partner', cell: (row) => partnerLink(row.partner_id, names) },
      { heading: 'Partner’s customer id', cell: (row) => row.external_customer_id },
      { heading: 'Country', cell: ({ customer }) => customer.country ?? 'Not given' },
      { heading: 'Relationship', cell: relationshipTag },
      {
        heading: 'Case',
        cell: ({ verification_status: status }) => (status === null ? 'Not begun' : caseTag(status)),
      },
      {
        heading: 'Merchant',
        cell: ({ customer_id: id }) => idLink(`/console/merchants/${id}`, id),
      },
      { heading: 'Created', cell: (row) => time(row.created_at) },
    ],
    rows,
    empty: isFiltered ? 'No customers match the filter.' : 'No customers yet.',
  })

type Shown = Readonly<{ known: Known; state: FormState; list: Html | false }>

const customersPage = ({ session }: StaffRequest, { known, state, list }: Shown): Html =>
  consolePage({
    session,
    current: CUSTOMERS_PATH,
    title: titleOf('Customers', state),
    main: html`<h1>Customers</h1>
      ${errorSummary(state.errors, 'Correct these errors:')}
      <p>
        To find one customer, <a href="/console/search">search</a> by name, e-mail address or id. A bookmark
        of this page keeps the filter.
      </p>
      ${customerFilter(state, known.all)} ${list}`,
  })

/** Lists the customers of all partners, newest first. */
export const listCustomers = async (request: StaffRequest): Promise<Answer> => {
  const { ask, query } = request
  const [reply, all] = await Promise.all([
    ask(relationships.listByStaff, { query: { ...filterOf(query), ...cursorOf(request) } }),
    readPartners(request),
  ])
  const ids = all === null && reply.ok ? reply.value.customers.map((row) => row.partner_id) : []
  const names: Names =
    all === null ? await readNames(request, ids) : new Map(all.map(({ partner_id: id, name }) => [id, name]))
  const known = { all, names }
  if (!reply.ok && reply.code !== 'invalid_request') return { kind: 'error', code: reply.code }
  if (!reply.ok)
    return answerRefusedForm(reply, query, (state, status) =>
      pageOf(customersPage(request, { known, state, list: false }), status),
    )
  const { customers: rows, next_cursor: next } = reply.value
  const list = html`${customersTable(rows, known, withFilter('', query) !== '')}
  ${pagination(pageLinks(CUSTOMERS_PATH, request, next))}
  ${rows.length > 0 && downloadLink(withFilter(CUSTOMERS_FILE_PATH, query))}`
  return pageOf(customersPage(request, { known, state: formWith(query), list }))
}
