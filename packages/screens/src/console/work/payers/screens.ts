import { payers, type PayerQuery, type PayerRecord } from '@causeway/contracts'
import { dialogButton, html, notice, submit, table, textField, type Html } from '../../../design/index.ts'
import { sessionScreen, type Answer, type Screen } from '../../../screen.ts'
import { formFaults, formWith, titleOf, type FormState } from '../../../form-state.ts'
import { consoleForm, consolePage, type StaffRequest, type StaffSession } from '../../frame.ts'
import { answerRefusedForm, pageOf } from '../../../replies.ts'
import { erasurePage } from '../customers/personal-data.ts'
import { PAYERS_PATH } from '../paths.ts'
import { wordsOf } from '../words.ts'

/** The address by its form: an e-mail address has an @, an IP address never. */
const queryOf = (form: URLSearchParams): PayerQuery => {
  const address = form.get('address')?.trim() ?? ''
  return address.includes('@') ? { email: address } : { ip: address }
}

const recordTable = (rows: readonly PayerRecord[]): Html =>
  table({
    caption: 'What is held',
    columns: [
      { heading: 'Kind', cell: (row) => wordsOf(row.kind) },
      { heading: 'Id', cell: (row) => html`<code>${row.id}</code>` },
      {
        heading: 'Data',
        cell: (row) => html`<pre class="code"><code>${JSON.stringify(row.data, null, 2)}</code></pre>`,
      },
    ],
    rows,
    empty: 'Nothing on this page.',
  })

/** Asks on for the same payer; the address travels in the form, never in a URL. */
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
        hint: 'It is searched among the orders of all partners',
        value: state.entered.get('address') ?? '',
        error: state.errors['email'] ?? state.errors['ip'],
        isRequired: true,
      })}
      <p class="actions">${submit('Export')}</p>`,
  )

type Exported = Readonly<{ address: string; records: readonly PayerRecord[]; next: string | null }>

const eraseDialog = (session: StaffSession, address: string): Html =>
  dialogButton(
    { id: 'erase', text: 'Erase this payer…', title: 'Erase this payer?', look: 'danger' },
    html`<p>Every order loses what is held about the payer. This cannot be undone.</p>
      ${consoleForm(
        session,
        `${PAYERS_PATH}/erase`,
        html`<input type="hidden" name="address" value="${address}" />${submit('Erase for ever', 'danger')}`,
      )}`,
  )

const pageWith = (session: StaffSession, state: FormState, exported: Exported | null): Html =>
  consolePage({
    session,
    current: '/console',
    title: titleOf('Payers', state),
    main: html`<h1>Payers</h1>
      <p>What is held about one payer, to answer a request for information or erasure.</p>
      ${addressForm(session, state)}
      ${
        exported !== null &&
        html`${recordTable(exported.records)}
        ${
          exported.next === null
            ? notice('neutral', 'This was all that is held.')
            : onwardForm(session, exported.address, 'export', exported.next, 'Search on')
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
        ${notice('warning', 'Not all orders were looked at yet.', 'Go on until everything is erased.')}
        ${onwardForm(session, address, 'erase', next, 'Go on erasing')}`,
    }),
  )
}

/** Export and erasure of one payer, by an address that stands in no URL and no log. */
export const payerScreens: readonly Screen[] = [
  sessionScreen('console', {
    method: 'GET',
    path: PAYERS_PATH,
    answer: async ({ session }) => pageOf(pageWith(session, formWith(), null)),
  }),
  sessionScreen('console', { method: 'POST', path: `${PAYERS_PATH}/export`, answer: exportPayer }),
  sessionScreen('console', { method: 'POST', path: `${PAYERS_PATH}/erase`, answer: erase }),
]
