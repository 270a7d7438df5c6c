import type { ApiKey } from '@causeway/contracts'
import {
  dialogButton,
  html,
  linkButton,
  notice,
  submit,
  table,
  textField,
  time,
  type Html,
} from '../../design/index.ts'
import { formFaults, titleOf, type FormState } from '../../form-state.ts'
import { findMerchantButton } from '../find-merchant/button.ts'
import { consoleForm, consolePage, type StaffSession } from '../frame.ts'
import { mayDo } from '../roles.ts'

export const MERCHANTS_PATH = '/console/merchants'

/** Renders the form that opens a merchant, by its id or by its name. */
export const findMerchantPage = (session: StaffSession, state: FormState): Html =>
  consolePage({
    session,
    current: MERCHANTS_PATH,
    title: titleOf('Merchants', state),
    main: html`<h1>Merchants</h1>
      ${formFaults(state)}
      <p>
        Open a merchant to manage its API keys, events and portal links. The processor and the webhook of a
        shop are under <a href="/console/checkouts">checkouts</a>.
      </p>
      ${consoleForm(
        session,
        MERCHANTS_PATH,
        html`${textField({
            name: 'customer_id',
            label: 'Merchant id',
            hint: 'Begins with cus_. Or type the first letters of a name and find it by name.',
            value: state.entered.get('customer_id') ?? '',
            error: state.errors['customer_id'],
            isRequired: true,
          })}
          <p class="actions">${submit('Open')} ${findMerchantButton('merchants')}</p>`,
      )}`,
  })

type MerchantPage = Readonly<{
  session: StaffSession
  customerId: string
  keys: readonly ApiKey[]
  /** Its name; undefined if it has none or it is temporarily unavailable. */
  name: string | undefined
  problem: string | null
}>

const keyName = ({ hint, key_id: keyId }: ApiKey): string => (hint === null ? keyId : `…${hint}`)

const revokeButton = (session: StaffSession, customerId: string, key: ApiKey): Html =>
  dialogButton(
    { id: `revoke-${key.key_id}`, text: 'Revoke…', title: `Revoke the key ${keyName(key)}?`, look: 'danger' },
    html`<p>It is refused within a second. You cannot undo this.</p>
      ${consoleForm(
        session,
        `${MERCHANTS_PATH}/${customerId}/api-keys/${key.key_id}/revoke`,
        submit('Revoke the key', 'danger'),
      )}`,
  )

const keysTable = ({ session, customerId, keys }: MerchantPage): Html =>
  table({
    caption: 'API keys',
    columns: [
      { heading: 'Ends with', cell: (key) => html`<code>${keyName(key)}</code>` },
      { heading: 'Created', cell: (key) => time(key.created_at) },
      ...(mayDo(session, 'admin')
        ? [{ heading: 'Actions', cell: (key: ApiKey) => revokeButton(session, customerId, key) }]
        : []),
    ],
    rows: keys,
    empty: 'No keys yet. The merchant cannot call the API.',
  })

/** Renders a merchant's access: API keys and portal links. */
export const merchantPage = (content: MerchantPage): Html => {
  const { session, customerId, name, problem } = content
  const path = `${MERCHANTS_PATH}/${customerId}`
  return consolePage({
    session,
    current: MERCHANTS_PATH,
    title: `${problem === null ? '' : 'Error: '}Merchant ${name ?? customerId}`,
    main: html`<h1>Merchant ${name ?? ''} <code>${customerId}</code></h1>
      ${problem !== null && notice('bad', 'Nothing was saved.', problem)}
      <p class="actions">
        ${linkButton(`${path}/webhook-events`, 'Events', 'quiet')}
        ${linkButton(`${path}/figures`, 'Figures', 'quiet')}
        ${linkButton(`${path}/reserve-plan`, 'Reserve plan', 'quiet')}
      </p>
      ${keysTable(content)}
      ${
        mayDo(session, 'admin') &&
        html`<div class="actions">
          ${consoleForm(session, `${path}/api-keys`, submit('Create an API key', 'quiet'))}
          ${linkButton(`${path}/people`, 'People', 'quiet')}
          ${consoleForm(session, `${path}/portal-links`, submit('Create a portal link', 'quiet'))}
        </div>`
      }`,
  })
}
