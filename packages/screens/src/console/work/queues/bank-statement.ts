import { bankStatements, type FileImportReport } from '@causeway/contracts'
import { html, notice, submit, table, textArea, type Html } from '../../../design/index.ts'
import { formFaults, formWith, titleOf, type FormState } from '../../../form-state.ts'
import { answerRefusedForm, pageOf } from '../../../replies.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { consoleForm, consolePage, type StaffRequest, type StaffSession } from '../../frame.ts'
import { mayDo } from '../../roles.ts'
import { BANK_STATEMENT_PATH, PAYOUTS_PATH } from '../paths.ts'

const reportOf = ({
  imported,
  duplicates,
  rejected,
  rejected_not_listed: notListed = 0,
}: FileImportReport): Html =>
  html`${notice(
    rejected.length === 0 ? 'good' : 'warning',
    'The statement was imported.',
    `New lines: ${imported}. Already known: ${duplicates}. Rejected lines: ${rejected.length + notListed}. Payouts follow within seconds.`,
  )}
  ${
    rejected.length > 0 &&
    table({
      caption: notListed > 0 ? `The first ${rejected.length} rejected lines` : 'Rejected lines',
      columns: [
        { heading: 'Line', cell: (row) => row.line, isNumber: true },
        { heading: 'Reason', cell: (row) => row.reason },
      ],
      rows: rejected,
      empty: '',
    })
  }`

const importForm = (session: StaffSession, state: FormState): Html =>
  consoleForm(
    session,
    BANK_STATEMENT_PATH,
    html`${formFaults(state)}
      ${textArea({
        name: 'statement',
        label: 'Statement of the bank',
        hint: 'Paste the whole file: camt.053, or CSV with its header line. You can import a file again: known lines are skipped. Send files above 80 KB by the API.',
        value: state.entered.get('statement') ?? '',
        error: state.errors['statement'],
        isRequired: true,
      })}
      <p class="actions">${submit('Import')}</p>`,
  )

type Shown = Readonly<{ state?: FormState; report?: FileImportReport; status?: number }>

const show = ({ session }: StaffRequest, { state = formWith(), report, status = 200 }: Shown = {}): Answer =>
  pageOf(
    consolePage({
      session,
      current: '/console',
      title: titleOf('Bank statement', state),
      main: html`<h1>Bank statement</h1>
        ${report !== undefined && reportOf(report)}
        <p>
          A line with a payout’s reference and amount settles it; a credit for a settled one returns it. See
          the
          <a href="${PAYOUTS_PATH}?status=sent">payouts that wait for the bank</a>.
        </p>
        ${
          mayDo(session, 'finance')
            ? importForm(session, state)
            : html`<p>The role finance imports statements.</p>`
        }`,
    }),
    status,
  )

/** The error of a file belongs to the one field of the form. */
const ofField = ({ errors, ...state }: FormState): FormState => {
  const error = errors['xml'] ?? errors['csv']
  return { ...state, errors: error === undefined ? errors : { statement: error } }
}

/** Imports a statement. The report is the response to the form, because importing it again skips known lines. */
const importFile = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const text = form.get('statement') ?? ''
  // A document begins with `<`; a byte order mark may be before it.
  const body = /^\ufeff?\s*</.test(text) ? { xml: text } : { csv: text }
  const reply = await ask(bankStatements.importFile, { body })
  return reply.ok
    ? show(request, { report: reply.value })
    : answerRefusedForm(reply, form, (state, status) => show(request, { state: ofField(state), status }))
}

export const bankStatementScreens: readonly Screen[] = [
  sessionScreen('console', {
    method: 'GET',
    path: BANK_STATEMENT_PATH,
    answer: async (request) => show(request),
  }),
  sessionScreen('console', { method: 'POST', path: BANK_STATEMENT_PATH, answer: importFile }),
]
