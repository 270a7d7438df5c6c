import { randomUUID } from 'node:crypto'
import { paymentFiles, type ErrorDetail, type PaymentFile } from '@causeway/contracts'
import {
  amountInUnit,
  definitionList,
  dialogButton,
  form as postForm,
  html,
  pagination,
  submit,
  table,
  taggedStatus,
  time,
  type Html,
} from '../../../design/index.ts'
import { formFaults, formWith, titleOf, type FormState } from '../../../form-state.ts'
import { cursorOf, pageLinks } from '../../../paging.ts'
import { answerRefusedForm, pageOf, redirectTo, type Refused } from '../../../replies.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { FORM_TOKEN } from '../../../session.ts'
import { consoleForm, consolePage, type StaffRequest, type StaffSession } from '../../frame.ts'
import { mayDo } from '../../roles.ts'
import { BANK_STATEMENT_PATH, PAYMENT_FILES_PATH, paymentFilePath } from '../paths.ts'
import { idLink } from '../words.ts'

const STATUSES = {
  made: ['warning', 'To upload'],
  uploaded: ['good', 'Uploaded'],
} as const

const amountOf = ({ total_cents: cents, unit }: PaymentFile): string => amountInUnit(cents, unit)
const statusOf = ({ status }: PaymentFile): Html => taggedStatus(STATUSES, status)

/** Makes one file for a form that is sent twice. */
const makeForm = ({ formToken }: StaffSession, state: FormState): Html =>
  html`<section class="sheet" aria-labelledby="make">
    <h2 id="make">Make a payment file</h2>
    <p>
      The file has every upcoming payout in euro that goes to a bank account, at most 500. Nobody can cancel
      them afterwards.
    </p>
    ${formFaults(state)}
    ${postForm(
      { action: PAYMENT_FILES_PATH, hidden: { [FORM_TOKEN]: formToken, unit: 'EUR', key: randomUUID() } },
      html`<p class="actions">${submit('Make the file')}</p>`,
    )}
  </section>`

const fileTable = (session: StaffSession, rows: readonly PaymentFile[]): Html =>
  table({
    caption: 'Payment files, newest first',
    columns: [
      {
        heading: 'File',
        cell: ({ payment_file_id: id }) =>
          mayDo(session, 'finance') ? idLink(paymentFilePath(id), id) : html`<code>${id}</code>`,
      },
      { heading: 'Status', cell: statusOf },
      { heading: 'Payouts', cell: ({ payout_ids: ids }) => ids.length, isNumber: true },
      { heading: 'Amount', cell: amountOf, isNumber: true },
      { heading: 'Made', cell: (row) => time(row.created_at) },
      { heading: 'Uploaded', cell: ({ uploaded_at: at }) => (at === null ? '' : time(at)) },
    ],
    rows,
    empty: 'No payment files.',
  })

const list = async (request: StaffRequest, state = formWith(), code = 200): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(paymentFiles.list, { query: cursorOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { payment_files: rows, next_cursor: next } = reply.value
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: titleOf('Payment files', state),
      main: html`<h1>Payment files</h1>
        <p>
          Download a file, upload it at your bank, then confirm that. The
          <a href="${BANK_STATEMENT_PATH}">bank’s statement</a> settles its payouts.
        </p>
        ${fileTable(session, rows)} ${pagination(pageLinks(PAYMENT_FILES_PATH, request, next))}
        ${mayDo(session, 'finance') && makeForm(session, state)}`,
    }),
    code,
  )
}

/** The sentence about why no file was made; null for any other refusal. */
const problemOf = (details: readonly ErrorDetail[] = []): string | null => {
  const settings = details.flatMap(({ setting }) => (typeof setting === 'string' ? [setting] : []))
  if (settings.length > 0) return `Set ${settings.join(' and ')} to the account that pays.`
  return details[0]?.['payouts'] === 0 ? 'No upcoming payout goes to a bank account.' : null
}

const refusedMaking = (request: StaffRequest, refused: Refused): Promise<Answer> =>
  answerRefusedForm(refused, request.form, (state, code) =>
    list(request, { ...state, problem: problemOf(refused.details) ?? state.problem }, code),
  )

const make = async (request: StaffRequest): Promise<Answer> => {
  const { ask, form } = request
  const key = form.get('key') ?? ''
  const reply = await ask(paymentFiles.create, {
    body: { unit: form.get('unit') ?? '' },
    ...(key !== '' && { idempotencyKey: key }),
  })
  return reply.ok
    ? redirectTo(paymentFilePath(reply.value.payment_file.payment_file_id))
    : refusedMaking(request, reply)
}

const uploadedButton = (session: StaffSession, file: PaymentFile): Html =>
  dialogButton(
    { id: 'uploaded', text: 'Confirm the upload…', title: 'Has the bank accepted this file?' },
    html`<p>
        Confirm only after you have uploaded it and the bank has accepted ${amountOf(file)}. Its payouts are
        then sent, and their merchants are notified.
      </p>
      ${consoleForm(session, `${paymentFilePath(file.payment_file_id)}/uploaded`, submit('Confirm the upload'))}`,
  )

const actionsOf = (session: StaffSession, file: PaymentFile): Html =>
  html`<p class="actions">
    ${file.url !== null && html`<a href="${paymentFilePath(file.payment_file_id)}/content">Download the file</a>`}
    ${file.status === 'made' && uploadedButton(session, file)}
  </p>`

const idOf = ({ params }: StaffRequest) => ({ paymentFileId: params['paymentFileId'] ?? '' })

const show = async (request: StaffRequest): Promise<Answer> => {
  const { ask, session } = request
  const reply = await ask(paymentFiles.get, { params: idOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { payment_file: file } = reply.value
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: 'Payment file',
      main: html`<h1>Payment file</h1>
        ${definitionList([
          { term: 'File', value: html`<code>${file.payment_file_id}</code>` },
          { term: 'Status', value: statusOf(file) },
          { term: 'Amount', value: amountOf(file) },
          { term: 'Made', value: time(file.created_at) },
          { term: 'Uploaded', value: file.uploaded_at === null ? 'Not confirmed' : time(file.uploaded_at) },
          { term: 'SHA-256', value: html`<code>${file.sha256}</code>` },
        ])}
        ${file.url === null && html`<p>Its payouts have ended, so that its accounts were erased.</p>`}
        ${actionsOf(session, file)}
        ${table({
          caption: 'Payouts of the file',
          columns: [{ heading: 'Payout', cell: (id: string) => html`<code>${id}</code>` }],
          rows: file.payout_ids,
          empty: 'No payouts.',
        })}
        <p><a href="${PAYMENT_FILES_PATH}">All payment files</a></p>`,
    }),
  )
}

/** Redirects to the URL of the file, which is valid for five minutes. The audit log records each one. */
const content = async (request: StaffRequest): Promise<Answer> => {
  const reply = await request.ask(paymentFiles.get, { params: idOf(request) })
  if (!reply.ok) return { kind: 'error', code: reply.code }
  const { url } = reply.value.payment_file
  return url === null ? { kind: 'error', code: 'resource_not_found' } : redirectTo(new URL(url).pathname)
}

const markUploaded = async (request: StaffRequest): Promise<Answer> => {
  const params = idOf(request)
  const reply = await request.ask(paymentFiles.markUploaded, { params })
  return reply.ok ? redirectTo(paymentFilePath(params.paymentFileId)) : { kind: 'error', code: reply.code }
}

const ONE = `${PAYMENT_FILES_PATH}/:paymentFileId`

export const paymentFileScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: PAYMENT_FILES_PATH, answer: (request) => list(request) }),
  sessionScreen('console', { method: 'POST', path: PAYMENT_FILES_PATH, answer: make }),
  sessionScreen('console', { method: 'GET', path: ONE, answer: show }),
  sessionScreen('console', { method: 'GET', path: `${ONE}/content`, answer: content }),
  sessionScreen('console', { method: 'POST', path: `${ONE}/uploaded`, answer: markUploaded }),
]
