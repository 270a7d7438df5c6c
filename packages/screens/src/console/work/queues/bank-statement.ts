import { bankStatements, type FileImportReport } from '@causeway/contracts'
import { html, submit, textArea, type Html } from '../../../design/index.ts'
import { formFaults, formWith, titleOf, type FormState } from '../../../form-state.ts'
import { answerRefusedForm, pageOf, type Refused } from '../../../replies.ts'
import {
  sessionScreen,
  uploadScreen,
  type Answer,
  type Screen,
  type UploadedFile,
  type UploadScreen,
} from '../../../screen.ts'
import {
  consoleFileForm,
  consoleForm,
  consolePage,
  type StaffRequest,
  type StaffSession,
  type StaffUpload,
} from '../../frame.ts'
import { mayDo } from '../../roles.ts'
import { BANK_STATEMENT_FILE_PATH, BANK_STATEMENT_PATH, PAYOUTS_PATH } from '../paths.ts'
import { FILE, importControl, importError, importReport, refusedFile } from './import-file.ts'

const KINDS = 'CSV or camt.053 (XML) file of the bank'
const WORDS = { title: 'The statement was imported.', next: 'Payouts follow within seconds.' }

const fileForm = (session: StaffSession, state: FormState): Html =>
  html`<section class="sheet" aria-labelledby="upload">
    <h2 id="upload">Upload a file</h2>
    ${formFaults(state)}
    ${consoleFileForm(
      session,
      BANK_STATEMENT_FILE_PATH,
      importControl({
        label: 'Statement of the bank',
        hint: 'camt.053, or CSV with its header line. You can import a file again: known lines are skipped.',
        accept: '.xml,.csv,.txt,application/xml,text/xml,text/csv,text/plain',
        error: state.errors[FILE],
      }),
    )}
  </section>`

const textForm = (session: StaffSession, state: FormState): Html =>
  html`<section class="sheet" aria-labelledby="paste">
    <h2 id="paste">Or paste its text</h2>
    ${formFaults(state)}
    ${consoleForm(
      session,
      BANK_STATEMENT_PATH,
      html`${textArea({
          name: 'statement',
          label: 'Text of the statement',
          hint: 'The whole file, of at most 80 KB.',
          value: state.entered.get('statement') ?? '',
          error: state.errors['statement'],
          isRequired: true,
        })}
        <p class="actions">${submit('Import the text', 'quiet')}</p>`,
    )}
  </section>`

type Shown = Readonly<{ file?: FormState; text?: FormState; report?: FileImportReport; status?: number }>

const show = (
  { session }: Pick<StaffRequest, 'session'>,
  { file = formWith(), text = formWith(), report, status = 200 }: Shown = {},
): Answer =>
  pageOf(
    consolePage({
      session,
      current: '/console',
      title: titleOf(titleOf('Bank statement', text), file),
      main: html`<h1>Bank statement</h1>
        ${report !== undefined && importReport(report, WORDS)}
        <p>
          A line with a payout’s reference and amount settles it; a credit for a settled one returns it. See
          the
          <a href="${PAYOUTS_PATH}?status=sent">payouts that wait for the bank</a>.
        </p>
        ${
          mayDo(session, 'finance')
            ? html`${fileForm(session, file)} ${textForm(session, text)}`
            : html`<p>The role finance imports statements.</p>`
        }`,
    }),
    status,
  )

/** The error of a text belongs to the one field of its form. */
const ofText = (refused: Refused, { errors, ...state }: FormState): FormState => {
  const error = importError(refused, KINDS)
  return { ...state, errors: error === null ? errors : { statement: error } }
}

/** Imports a pasted statement. The report is the response to the form, because importing it again skips known lines. */
const importText = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const text = form.get('statement') ?? ''
  // A document begins with `<`; a byte order mark may be before it.
  const body = /^\ufeff?\s*</.test(text) ? { xml: text } : { csv: text }
  const reply = await ask(bankStatements.importFile, { body })
  return reply.ok
    ? show(request, { report: reply.value })
    : answerRefusedForm(reply, form, (state, status) => show(request, { text: ofText(reply, state), status }))
}

const refuseFile = (request: StaffUpload, refused: Refused): Answer => {
  const error = importError(refused, KINDS)
  if (error === null) return { kind: 'error', code: refused.code }
  const { state, status } = refusedFile(refused, error)
  return show(request, { file: state, status })
}

/** Imports an uploaded statement, as {@link importText} imports a pasted one. */
const importFile = async (request: StaffUpload, uploaded: UploadedFile): Promise<Answer> => {
  if (!uploaded.ok) return refuseFile(request, uploaded)
  const reply = await request.ask(bankStatements.importFile, { body: { file: uploaded.file } })
  return reply.ok ? show(request, { report: reply.value }) : refuseFile(request, reply)
}

export const bankStatementScreens: readonly Screen[] = [
  sessionScreen('console', {
    method: 'GET',
    path: BANK_STATEMENT_PATH,
    answer: async (request) => show(request),
  }),
  sessionScreen('console', { method: 'POST', path: BANK_STATEMENT_PATH, answer: importText }),
]

export const bankStatementUpload: UploadScreen = uploadScreen({
  path: BANK_STATEMENT_FILE_PATH,
  operation: bankStatements.importFile,
  answer: importFile,
})
