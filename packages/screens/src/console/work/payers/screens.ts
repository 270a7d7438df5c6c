import { payers, type PayerQuery, type PayerRecord } from '@causeway/contracts'
import { dialogButton, html, notice, submit, table, textField, type Html } from '../../../design/index.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { formFaults, formWith, titleOf, type FormState } from '../../../form-state.ts'
import { consoleForm, consolePage, type StaffRequest, type StaffSession } from '../../frame.ts'
import { answerRefusedForm, pageOf } from '../../../replies.ts'
import { erasurePage } from '../customers/personal-data.ts'
import { PAYERS_PATH } from '../paths.ts'
import { wordsOf } from '../words.ts'

/** Reads the payer's e-mail or IP address. Only an e-mail address contains an @. */
const queryOf = (form: URLSearchParams): PayerQuery => {
  const address = form.get('address')?.trim() ?? ''
  return address.includes('@') ? { email: address } : { ip: address }
}

const recordTable = (rows: readonly PayerRecord[]): Html =>
  table({
    caption: 'Stored data',
    columns: [
      { heading: 'Kind', cell: (row) => wordsOf(row.kind) },
      { heading: 'Id', cell: (row) => html`<code>${row.id}</code>` },
      {
        heading: 'Data',
        cell: (row) => html`<pre class="code"><code>${JSON.stringify(row.data, null, 2)}</code></pre>`,
      },
    ],
    rows,
    empty: 'No data on this page.',
  })

/** Renders the form for the next page. The address is in the form, never in a URL. */
const onwardForm = (
  session: StaffSession,
  address: string,
  action: string,
  cursor: string,
  text: string,
): Html =>
  consoleForm(
    session,
    `${PAYERS_PATH}/${action}`,
    html`<input type="hidden" name="address" value="${address}" />
      <input type="hidden" name="cursor" value="${cursor}" />${submit(text, 'quiet')}`,
  )

const addressForm = (session: StaffSession, state: FormState): Html =>
  consoleForm(
    session,
    `${PAYERS_PATH}/export`,
    html`${formFaults(state)}
      ${textField({
        name: 'address',
        label: 'E-mail or IP address of the payer',
        hint: 'Searches the orders of all partners',
        value: state.entered.get('address') ?? '',
        error: state.errors['email'] ?? state.errors['ip'],
        isRequired: true,
      })}
      <p class="actions">${submit('Export')}</p>`,
  )

type Exported = Readonly<{ address: string; records: readonly PayerRecord[]; next: string | null }>

const eraseDialog = (session: StaffSession, address: string): Html =>
  dialogButton(
    { id: 'erase', text: 'Delete this payer’s data…', title: 'Delete this payer’s data?', look: 'danger' },
    html`<p>The payer’s data is deleted from all orders. You cannot undo this.</p>
      ${consoleForm(
        session,
        `${PAYERS_PATH}/erase`,
        html`<input
            type="hidden"
            name="address"
            value="${address}"
          />${submit('Delete permanently', 'danger')}`,
      )}`,
  )

const pageWith = (session: StaffSession, state: FormState, exported: Exported | null): Html =>
  consolePage({
    session,
    current: '/console',
    title: titleOf('Payers', state),
    main: html`<h1>Payers</h1>
      <p>Find the stored data of a payer, to answer a request for access or erasure.</p>
      ${addressForm(session, state)}
      ${
        exported !== null &&
        html`${recordTable(exported.records)}
        ${
          exported.next === null
            ? notice('neutral', 'This is all the stored data.')
            : onwardForm(session, exported.address, 'export', exported.next, 'Continue the search')
        }
        ${eraseDialog(session, exported.address)}`
      }`,
  })

const cursorIn = (form: URLSearchParams) => {
  const cursor = form.get('cursor')
  return cursor === null ? {} : { cursor }
}

const exportPayer = async ({ ask, session, form }: StaffRequest): Promise<Answer> => {
  const reply = await ask(payers.export, { body: queryOf(form), query: cursorIn(form) })
  if (!reply.ok)
    return answerRefusedForm(reply, form, (state, status) => pageOf(pageWith(session, state, null), status))
  const { records, next_cursor: next } = reply.value
  const address = form.get('address')?.trim() ?? ''
  return pageOf(pageWith(session, formWith(new URLSearchParams({ address })), { address, records, next }))
}

const erase = async ({ ask, session, form }: StaffRequest): Promise<Answer> => {
  const reply = await ask(payers.erase, { body: queryOf(form), query: cursorIn(form) })
  if (!reply.ok)
    return answerRefusedForm(reply, form, (state, status) => pageOf(pageWith(session, state, null), status))
  const { erased, remaining, next_cursor: next } = reply.value
  if (next === null) return pageOf(erasurePage({ session, back: PAYERS_PATH, erased, remaining }))
  const address = form.get('address')?.trim() ?? ''
  return pageOf(
    consolePage({
      session,
      current: '/console',
      title: 'Payers',
      main: html`<h1>Payers</h1>
        ${notice('warning', 'Not all orders have been searched yet.', 'Continue until everything is deleted.')}
        ${onwardForm(session, address, 'erase', next, 'Continue deleting')}`,
    }),
  )
}

/** Export and erasure of a payer's data. The payer's address is in no URL and no log. */
export const payerScreens: readonly Screen[] = [
  sessionScreen('console', {
    method: 'GET',
    path: PAYERS_PATH,
    answer: async ({ session }) => pageOf(pageWith(session, formWith(), null)),
  }),
  sessionScreen('console', { method: 'POST', path: `${PAYERS_PATH}/export`, answer: exportPayer }),
  sessionScreen('console', { method: 'POST', path: `${PAYERS_PATH}/erase`, answer: erase }),
]
