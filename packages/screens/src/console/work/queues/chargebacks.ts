import { chargebackCases, chargebacks, type ChargebackCaseOfCustomer } from '@causeway/contracts'
import type { z } from 'zod'
import { html, notice, pagination, submit, table, textArea, time, type Html } from '../../../design/index.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { formFaults, formWith, titleOf, type FormState } from '../../../form-state.ts'
import { consoleForm, consolePage, type StaffRequest, type StaffSession } from '../../frame.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { answerRefusedForm, pageOf } from '../../../replies.ts'
import { namedLink, readNames, type Names } from '../../names.ts'
import { mayDo } from '../../roles.ts'
import { cardOrderPath, CHARGEBACKS_PATH } from '../paths.ts'
import { idLink, wordsOf } from '../words.ts'

type Case = z.output<typeof ChargebackCaseOfCustomer>
type Report = z.output<(typeof chargebacks.importFile)['reply']>

/** Maximum number of orders shown per case; a case has up to 1,000. */
const SHOWN_ORDERS = 5

const ordersOf = ({ order_keys: keys }: Case): Html =>
  html`${keys.slice(0, SHOWN_ORDERS).map((key) => html`${idLink(cardOrderPath(key), key)} `)}
  ${keys.length > SHOWN_ORDERS && html`and ${keys.length - SHOWN_ORDERS} more`}`

const caseTable = (rows: readonly Case[], names: Names): Html =>
  table({
    caption: 'Blocked payers, newest first',
    columns: [
      { heading: 'Payer', cell: (row) => row.value_masked },
      { heading: 'Kind', cell: (row) => (row.kind === 'ip' ? 'IP address' : wordsOf(row.kind)) },
      { heading: 'Customer', cell: (row) => namedLink(row.partner_customer_id, names) },
      { heading: 'Partner', cell: (row) => namedLink(row.partner_id, names) },
      { heading: 'Disputed orders', cell: ordersOf },
      { heading: 'Since', cell: (row) => time(row.created_at) },
    ],
    rows,
    empty: 'No payers are blocked.',
  })

const rejectedTable = ({ rejected }: Report): Html =>
  table({
    caption: 'Rejected lines',
    columns: [
      { heading: 'Line', cell: (row) => row.line, isNumber: true },
      { heading: 'Reason', cell: (row) => row.reason },
    ],
    rows: rejected,
    empty: 'All lines were imported.',
  })

const reportOf = (report: Report): Html => html`
  ${notice(
    report.rejected.length === 0 ? 'good' : 'warning',
    'The file was imported.',
    `New disputes: ${report.imported}. Already known: ${report.duplicates}. Rejected lines: ${report.rejected.length}.`,
  )}
  ${report.rejected.length > 0 && rejectedTable(report)}
`

const importForm = (session: StaffSession, state: FormState): Html =>
  html`<section class="sheet" aria-labelledby="import">
    <h2 id="import">Import disputes</h2>
    ${consoleForm(
      session,
      `${CHARGEBACKS_PATH}/import`,
      html`${formFaults(state)}
        ${textArea({
          name: 'csv',
          label: 'Dispute file of the processor',
          hint: 'Paste the whole file including the header line, at most 5,000 lines. You can import a file again: known disputes are skipped.',
          value: state.entered.get('csv') ?? '',
          error: state.errors['csv'],
          isRequired: true,
        })}
        <p class="actions">${submit('Import')}</p>`,
    )}
  </section>`

type Shown = Readonly<{ state?: FormState; report?: Report; status?: number }>

const list = async (
  request: StaffRequest,
  { state = formWith(), report, status = 200 }: Shown = {},
): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(chargebackCases.listByStaff, { query: cursorOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const names = await readNames(request, reply.value.chargeback_cases)
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: titleOf('Chargebacks', state),
      main: html`<h1>Chargebacks</h1>
        ${report !== undefined && reportOf(report)}
        <p>The partner of a customer lifts its cases after a dispute is settled.</p>
        ${caseTable(reply.value.chargeback_cases, names)}
        ${pagination(pageLinks(CHARGEBACKS_PATH, request, reply.value.next_cursor))}
        ${mayDo(session, 'finance') && importForm(session, state)}`,
    }),
    status,
  )
}

/** Imports a file. The report is the response to the form, because importing a file again skips known disputes. */
const importFile = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  // Browsers submit the lines of a text area with CRLF.
  const reply = await ask(chargebacks.importFile, { body: { csv: form.get('csv') ?? '' } })
  return reply.ok
    ? list(request, { report: reply.value })
    : answerRefusedForm(reply, form, (state, status) => list(request, { state, status }))
}

export const chargebackScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: CHARGEBACKS_PATH, answer: (request) => list(request) }),
  sessionScreen('console', { method: 'POST', path: `${CHARGEBACKS_PATH}/import`, answer: importFile }),
]
