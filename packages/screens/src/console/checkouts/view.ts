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
    html`${field(state, { name: 'integration', label: 'Checkout', hint: 'The id of the checkout, which begins with int_' })}
      ${field(state, { name: 'processor', label: 'Card processor', hint: 'Applies to new orders' })}
      <p class="actions">${submit('Change the processor')}</p>`,
  )

const addressForm = (session: StaffSession, state: FormState): Html =>
  consoleForm(
    session,
    `${CHECKOUTS_PATH}/webhook`,
    html`${field(state, { name: 'integration_id', label: 'Checkout', hint: 'The id of the checkout, which begins with int_' })}
      ${field(state, {
        name: 'url',
        label: 'Endpoint URL of the shop',
        hint: 'Must begin with https://. Leave empty to remove it.',
        isRequired: false,
      })}
      <p class="actions">${submit('Set the URL')}</p>`,
  )

/** Renders the settings of a checkout that staff manage. There is no list for staff: they enter the id. */
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
