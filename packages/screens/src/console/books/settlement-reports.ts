import { settlements, type FileImportReport } from '@causeway/contracts'
import { html, textField, type Html } from '../../design/index.ts'
import { formFaults, formWith, titleOf, type FormState } from '../../form-state.ts'
import { answerRefusedForm, pageOf, type Refused } from '../../replies.ts'
import { uploadScreen, type Answer, type UploadedFile, type UploadScreen } from '../../screen.ts'
import { consoleFileForm, consolePage, type StaffSession, type StaffUpload } from '../frame.ts'
import { mayDo } from '../roles.ts'
import { FILE, importControl, importError, importReport, refusedFile } from '../work/queues/import-file.ts'
import { BOOKS_PATH, DIFFERENCES_PATH, SETTLEMENT_REPORTS_PATH } from './words.ts'

const KINDS = 'CSV report of the processor'
const WORDS = { title: 'The report was imported.', next: 'Its lines are compared within seconds.' }

const importForm = (session: StaffSession, state: FormState): Html =>
  html`<section class="sheet" aria-labelledby="upload">
    <h2 id="upload">Upload a report</h2>
    ${formFaults(state)}
    ${consoleFileForm(
      session,
      SETTLEMENT_REPORTS_PATH,
      html`${textField({
        name: 'processor',
        label: 'Processor',
        hint: 'Its name at a card order, for example stripe',
        value: state.entered.get('processor') ?? '',
        error: state.errors['processor'],
        isRequired: true,
      })}
      ${textField({
        name: 'from',
        label: 'Compare from (UTC)',
        hint: 'For the first report of a processor: earlier payments are not expected in its reports. Empty: the earliest day of the report.',
        type: 'date',
        value: state.entered.get('from') ?? '',
        error: state.errors['from'],
      })}
      ${importControl({
        label: 'Settlement report',
        hint: 'CSV with the columns line_id, kind, processor_order_id, gross_cents, fee_cents, net_cents, currency, available_on and payout_ref. You can import a file again: known lines are skipped.',
        accept: '.csv,.txt,text/csv,text/plain',
        error: state.errors[FILE],
      })}`,
    )}
  </section>`

type Shown = Readonly<{ state?: FormState; report?: FileImportReport; status?: number }>

/** Shows the form for the settlement report of a card processor. */
export const showSettlementReports = (
  { session }: Pick<StaffUpload, 'session'>,
  { state = formWith(), report, status = 200 }: Shown = {},
): Answer =>
  pageOf(
    consolePage({
      session,
      current: BOOKS_PATH,
      title: titleOf('Settlement reports', state),
      main: html`<h1>Settlement reports</h1>
        ${report !== undefined && importReport(report, WORDS)}
        <p>
          Reports that a processor offers are fetched automatically. Upload those of other processors; see the
          <a href="${DIFFERENCES_PATH}">differences</a> between them and the books.
        </p>
        ${mayDo(session, 'finance') ? importForm(session, state) : html`<p>The role finance imports reports.</p>`}`,
    }),
    status,
  )

const refuseReport = (request: StaffUpload, refused: Refused): Answer | Promise<Answer> => {
  const { form } = request
  const error = importError(refused, KINDS)
  if (error !== null) return showSettlementReports(request, refusedFile(refused, error, form))
  return answerRefusedForm(refused, form, ({ errors, ...state }, status) => {
    // A browser keeps no file on the page of a refused form.
    const all = { ...errors, [FILE]: 'Choose the file again.' }
    return showSettlementReports(request, { state: { ...state, errors: all }, status })
  })
}

/** Imports a report. The result is the response to the form, because importing it again skips known lines. */
const importReportFile = async (request: StaffUpload, uploaded: UploadedFile): Promise<Answer> => {
  if (!uploaded.ok) return refuseReport(request, uploaded)
  const { type, ...stored } = uploaded.file
  const code = 'invalid_request'
  if (type !== 'csv') {
    const error = `This is an XML file. Choose the ${KINDS}.`
    return showSettlementReports(request, refusedFile({ ok: false, code }, error, request.form))
  }
  const processor = request.form.get('processor')?.trim() ?? ''
  if (processor === '')
    return refuseReport(request, { ok: false, code, details: [{ field: 'processor', reason: 'required' }] })
  const from = request.form.get('from') ?? ''
  const reply = await request.ask(settlements.importFile, {
    query: { processor, ...(from !== '' && { from }) },
    body: { file: { type, ...stored } },
  })
  return reply.ok ? showSettlementReports(request, { report: reply.value }) : refuseReport(request, reply)
}

export const settlementReportUpload: UploadScreen = uploadScreen({
  path: SETTLEMENT_REPORTS_PATH,
  operation: settlements.importFile,
  answer: importReportFile,
})
