import type { Client, Partner } from '@causeway/contracts'
import {
  definitionList,
  dialogButton,
  html,
  linkButton,
  submit,
  table,
  taggedStatus,
  time,
  type Html,
} from '../../design/index.ts'
import { formFaults, titleOf, type FormState } from '../../form-state.ts'
import { consoleForm, consolePage, type StaffSession } from '../frame.ts'
import { mayDo } from '../roles.ts'
import { partnerFields } from './form.ts'
import { ACCOUNT_STATUS, PARTNERS_PATH } from './list-view.ts'

type PartnerPage = Readonly<{
  session: StaffSession
  partner: Partner
  clients: readonly Client[]
  state: FormState
}>

const pathOf = ({ partner_id: partnerId }: Partner): string => `${PARTNERS_PATH}/${partnerId}`

const clientsTable = ({ partner, clients }: PartnerPage): Html =>
  table({
    caption: 'Clients',
    columns: [
      {
        heading: 'Client',
        cell: (client) =>
          html`<a href="${pathOf(partner)}/clients/${client.client_id}">${client.client_id}</a>`,
      },
      { heading: 'Status', cell: ({ status }) => taggedStatus(ACCOUNT_STATUS, status) },
      { heading: 'Scopes', cell: ({ scopes }) => scopes.length, isNumber: true },
      {
        heading: 'Allowed addresses',
        cell: (client) => client.allowed_addresses?.join(', ') ?? 'any',
      },
      { heading: 'Created', cell: (client) => time(client.created_at) },
    ],
    rows: clients,
    empty: 'No clients yet. The partner cannot call the API.',
  })

const statusForm = (session: StaffSession, partner: Partner): Html => {
  const action = `${pathOf(partner)}/status`
  if (partner.status === 'disabled')
    return consoleForm(
      session,
      action,
      html`<input type="hidden" name="status" value="active" />${submit('Enable the partner', 'quiet')}`,
    )
  return dialogButton(
    { id: 'disable', text: 'Disable…', title: `Disable ${partner.name}?`, look: 'danger' },
    html`<p>
        Its clients are refused within a second, its tokens and portal sessions end, and its webhooks receive
        no events. Orders continue. You can enable it again.
      </p>
      ${consoleForm(
        session,
        action,
        html`<input
            type="hidden"
            name="status"
            value="disabled"
          />${submit('Disable the partner', 'danger')}`,
      )}`,
  )
}

/** Renders an admin's actions on a partner. */
const actions = ({ session, partner }: PartnerPage): Html =>
  html`<div class="actions">
    ${linkButton(`${pathOf(partner)}/people`, 'People', 'quiet')}
    ${consoleForm(session, `${pathOf(partner)}/portal-links`, submit('Create a portal link', 'quiet'))}
    ${consoleForm(session, `${pathOf(partner)}/clients`, submit('Create a client', 'quiet'))}
    ${statusForm(session, partner)}
  </div>`

const changeForm = ({ session, partner, state }: PartnerPage): Html =>
  html`<section class="sheet" aria-labelledby="change">
    <h2 id="change">Change</h2>
    ${consoleForm(
      session,
      pathOf(partner),
      html`${partnerFields(state)}
        <p class="actions">${submit('Save')}</p>`,
    )}
  </section>`

/** Renders a partner: its permissions, its clients, and links to its webhooks. */
export const partnerPage = (content: PartnerPage): Html => {
  const { session, partner, state } = content
  const isAdmin = mayDo(session, 'admin')
  return consolePage({
    session,
    current: PARTNERS_PATH,
    title: titleOf(partner.name, state),
    main: html`<h1>${partner.name}</h1>
      ${formFaults(state)}
      ${definitionList([
        { term: 'Id', value: html`<code>${partner.partner_id}</code>` },
        { term: 'Status', value: taggedStatus(ACCOUNT_STATUS, partner.status) },
        { term: 'Scopes', value: partner.scopes.join(', ') || 'none' },
        { term: 'Default capabilities', value: partner.default_capabilities.join(', ') || 'none' },
        { term: 'Created', value: time(partner.created_at) },
      ])}
      <p class="actions">
        ${linkButton(`${pathOf(partner)}/webhooks`, 'Webhooks', 'quiet')}
        ${linkButton(`${pathOf(partner)}/webhook-events`, 'Events', 'quiet')}
        ${linkButton(`${pathOf(partner)}/figures`, 'Figures', 'quiet')}
      </p>
      ${clientsTable(content)} ${isAdmin && actions(content)} ${isAdmin && changeForm(content)}`,
  })
}
