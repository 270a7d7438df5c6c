import { html, submit, textField, type Html } from '../../design/index.ts'
import { formFaults, titleOf, type FormState } from '../../form-state.ts'
import { consoleForm, consolePage, type StaffSession } from '../frame.ts'
import { MERCHANTS_PATH } from '../merchants/view.ts'
import { mayDo } from '../roles.ts'

export const CHECKOUTS_PATH = '/console/checkouts'

type Field = Readonly<{ name: string; label: string; hint: string; isRequired?: boolean }>

const field = ({ entered, errors }: FormState, { name, label, hint, isRequired = true }: Field): Html =>
  textField({ name, label, hint, isRequired, value: entered.get(name) ?? '', error: errors[name] })

const section = (id: string, title: string, content: Html): Html =>
  html`<section class="sheet" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`

const processorForm = (session: StaffSession, state: FormState): Html =>
  consoleForm(
    session,
    `${CHECKOUTS_PATH}/processor`,
    html`${field(state, { name: 'integration', label: 'Checkout', hint: 'Its id, which begins with int_' })}
      ${field(state, { name: 'processor', label: 'Card processor', hint: 'Counts for new orders' })}
      <p class="actions">${submit('Change the processor')}</p>`,
  )

const addressForm = (session: StaffSession, state: FormState): Html =>
  consoleForm(
    session,
    `${CHECKOUTS_PATH}/webhook`,
    html`${field(state, { name: 'integration_id', label: 'Checkout', hint: 'Its id, which begins with int_' })}
      ${field(state, {
        name: 'url',
        label: 'Address of the shop’s receiver',
        hint: 'Begins with https://; empty: none',
        isRequired: false,
      })}
      <p class="actions">${submit('Set the address')}</p>`,
  )

/** What staff set of one checkout configuration. Customers and partners read these; staff name one by its id. */
export const checkoutsPage = (session: StaffSession, state: FormState, news: string | null): Html =>
  consolePage({
    session,
    current: MERCHANTS_PATH,
    title: titleOf('Checkouts', state),
    main: html`<h1>Checkouts</h1>
      ${formFaults(state)} ${news !== null && html`<p role="status">${news}</p>`}
      ${mayDo(session, 'finance') && section('processor', 'Card processor', processorForm(session, state))}
      ${mayDo(session, 'admin') && section('webhook', 'Webhook of the shop', addressForm(session, state))}`,
  })
