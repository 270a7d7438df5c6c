import type { Client, Partner } from '@causeway/contracts'
import {
  definitionList,
  dialogButton,
  html,
  linkButton,
  selectField,
  submit,
  taggedStatus,
  textArea,
  textField,
  time,
  type Html,
} from '../../design/index.ts'
import { formFaults, titleOf, type FormState } from '../../form-state.ts'
import { consoleForm, consolePage, type StaffSession } from '../frame.ts'
import { scopeFields } from '../partners/form.ts'
import { ACCOUNT_STATUS, PARTNERS_PATH } from '../partners/list-view.ts'
import { mayDo } from '../roles.ts'

type ClientPage = Readonly<{
  session: StaffSession
  partner: Partner
  client: Client
  /** The public keys as JSON, or the entered text. */
  jwks: string
  state: FormState
}>

export const clientPath = (partnerId: string, clientId: string): string =>
  `${PARTNERS_PATH}/${partnerId}/clients/${clientId}`

const pathOf = ({ partner, client }: ClientPage): string => clientPath(partner.partner_id, client.client_id)

const section = (id: string, title: string, content: Html): Html =>
  html`<section class="sheet" aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${content}
  </section>`

const limitsForm = (content: ClientPage): Html => {
  const { session, state } = content
  const { entered, errors } = state
  return consoleForm(
    session,
    pathOf(content),
    html`${scopeFields(state, 'Scopes')}
      ${textArea({
        name: 'allowed_addresses',
        label: 'Allowed addresses',
        hint: 'IP addresses or CIDR blocks, one per line. Leave empty to allow all.',
        value: entered.get('allowed_addresses') ?? '',
        error: errors['allowed_addresses'],
      })}
      ${textField({
        name: 'daily_refund_limit_cents',
        label: 'Daily refund limit per currency',
        hint: 'In minor units: 10000 is €100.00. Leave empty to use the platform’s limit.',
        inputmode: 'numeric',
        value: entered.get('daily_refund_limit_cents') ?? '',
        error: errors['daily_refund_limit_cents'],
      })}
      <p class="actions">${submit('Save')}</p>`,
  )
}

const GRACE = [
  { value: '0', text: 'Revoke it now' },
  { value: '3600', text: 'One hour' },
  { value: '86400', text: 'One day' },
  { value: '604800', text: 'Seven days' },
]

const secretForm = (content: ClientPage): Html =>
  consoleForm(
    content.session,
    `${pathOf(content)}/secret`,
    html`${selectField({
        name: 'grace_seconds',
        label: 'How long should the former secret stay valid?',
        value: '86400',
        isRequired: true,
        options: GRACE,
      })}
      <p class="actions">${submit('Rotate the secret', 'quiet')}</p>`,
  )

const keysForm = (content: ClientPage): Html =>
  consoleForm(
    content.session,
    `${pathOf(content)}/keys`,
    html`${textArea({
        name: 'jwks',
        label: 'Public keys (JWK set)',
        hint: 'Up to five keys that sign the client’s assertions. Tokens issued for a removed key end.',
        value: content.jwks,
        error: content.state.errors['jwks'],
      })}
      <p class="actions">${submit('Replace the keys', 'quiet')}</p>`,
  )

const statusForm = (content: ClientPage): Html => {
  const { session, client } = content
  const action = `${pathOf(content)}/status`
  if (client.status === 'disabled')
    return consoleForm(
      session,
      action,
      html`<input type="hidden" name="status" value="active" />${submit('Enable the client', 'quiet')}`,
    )
  return dialogButton(
    { id: 'disable', text: 'Disable…', title: 'Disable this client?', look: 'danger' },
    html`<p>It is refused within a second, and its tokens end. You can enable it again.</p>
      ${consoleForm(
        session,
        action,
        html`<input type="hidden" name="status" value="disabled" />${submit('Disable the client', 'danger')}`,
      )}`,
  )
}

/** Renders a partner's client: its permissions, its secret and its keys. */
export const clientPage = (content: ClientPage): Html => {
  const { session, partner, client, jwks, state } = content
  const isAdmin = mayDo(session, 'admin')
  return consolePage({
    session,
    current: PARTNERS_PATH,
    title: titleOf(`Client of ${partner.name}`, state),
    main: html`<h1>Client of ${partner.name}</h1>
      ${formFaults(state)}
      ${definitionList([
        { term: 'Id', value: html`<code>${client.client_id}</code>` },
        { term: 'Status', value: taggedStatus(ACCOUNT_STATUS, client.status) },
        { term: 'Scopes', value: client.scopes.join(', ') || 'none' },
        { term: 'Allowed addresses', value: client.allowed_addresses?.join(', ') ?? 'any' },
        { term: 'Daily refund limit', value: client.daily_refund_limit_cents ?? 'the platform’s limit' },
        { term: 'Public keys', value: isAdmin ? 'see below' : html`<code>${jwks}</code>` },
        { term: 'Created', value: time(client.created_at) },
      ])}
      ${
        isAdmin &&
        html`${section('limits', 'Permissions', limitsForm(content))}
        ${section('secret', 'Secret', secretForm(content))} ${section('keys', 'Keys', keysForm(content))}
        ${section('status', 'Status', statusForm(content))}`
      }
      <p>${linkButton(`${PARTNERS_PATH}/${partner.partner_id}`, 'Back to the partner', 'quiet')}</p>`,
  })
}
