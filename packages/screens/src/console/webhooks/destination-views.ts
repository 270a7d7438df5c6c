import { PARTNER_EVENT_TYPES, type PartnerWebhook } from '@causeway/contracts'
import {
  checkboxes,
  definitionList,
  dialogButton,
  html,
  linkButton,
  pagination,
  statusTag,
  submit,
  table,
  textField,
  time,
  type Html,
} from '../../design/index.ts'
import { formFaults, titleOf, type FormState } from '../../form-state.ts'
import { consoleForm, consolePage, type StaffSession } from '../frame.ts'
import { PARTNERS_PATH } from '../partners/list-view.ts'
import { overlapField } from '../../secret-overlap.ts'
import { mayDo } from '../roles.ts'
import type { PageLinks } from './event-views.ts'

export const destinationsPath = (partnerId: string): string => `${PARTNERS_PATH}/${partnerId}/webhooks`

const fields = ({ entered, errors }: FormState): Html =>
  html`${textField({
    name: 'url',
    label: 'Address of the receiver',
    hint: 'Begins with https://',
    type: 'url',
    value: entered.get('url') ?? '',
    error: errors['url'],
    isRequired: true,
  })}
  ${checkboxes({
    name: 'event_types',
    label: 'Events',
    hint: 'None ticked: all of them',
    options: PARTNER_EVENT_TYPES.map((type) => ({ value: type, text: type })),
    values: entered.getAll('event_types'),
    error: errors['event_types'],
  })}`

const eventsOf = ({ event_types: types }: PartnerWebhook): string =>
  types.length === 0 ? 'all' : types.join(', ')

const statusOf = ({ disabled_at: disabledAt }: PartnerWebhook): Html =>
  disabledAt === undefined
    ? statusTag('good', 'Active')
    : html`${statusTag('warning', 'Disabled')} since ${time(disabledAt)}`

type DestinationsPage = Readonly<{
  session: StaffSession
  partnerId: string
  webhooks: readonly PartnerWebhook[]
  page: PageLinks
  state: FormState
}>

/** Where a partner is told of its events, and the form for a further address. */
export const destinationsPage = ({ session, partnerId, webhooks, page, state }: DestinationsPage): Html => {
  const path = destinationsPath(partnerId)
  return consolePage({
    session,
    current: PARTNERS_PATH,
    title: titleOf('Webhooks', state),
    main: html`<h1>Webhooks</h1>
      ${formFaults(state)}
      ${table({
        caption: 'Destinations',
        columns: [
          {
            heading: 'Address',
            cell: (webhook) => html`<a href="${path}/${webhook.webhook_id}">${webhook.url}</a>`,
          },
          { heading: 'Events', cell: eventsOf },
          { heading: 'Status', cell: statusOf },
          { heading: 'Created', cell: (webhook) => time(webhook.created_at) },
        ],
        rows: webhooks,
        empty: 'No destination yet: the partner is told of nothing.',
      })}
      ${pagination(page)}
      ${
        mayDo(session, 'admin') &&
        html`<section class="sheet" aria-labelledby="create">
          <h2 id="create">Add a destination</h2>
          ${consoleForm(
            session,
            path,
            html`${fields(state)}
              <p class="actions">${submit('Add')}</p>`,
          )}
        </section>`
      }
      <p>${linkButton(`${PARTNERS_PATH}/${partnerId}`, 'Back to the partner', 'quiet')}</p>`,
  })
}

type DestinationPage = Readonly<{
  session: StaffSession
  partnerId: string
  webhook: PartnerWebhook
  state: FormState
}>

const changes = ({ session, partnerId, webhook, state }: DestinationPage): Html => {
  const path = `${destinationsPath(partnerId)}/${webhook.webhook_id}`
  return html`<section class="sheet" aria-labelledby="change">
      <h2 id="change">Change</h2>
      ${consoleForm(
        session,
        path,
        html`${fields(state)}
          <p class="actions">${submit('Save')}</p>`,
      )}
    </section>
    <div class="actions">
      ${consoleForm(session, `${path}/test`, submit('Send a test', 'quiet'))}
      ${
        webhook.status === 'disabled'
          ? consoleForm(session, `${path}/enable`, submit('Enable', 'quiet'))
          : dialogButton(
              { id: 'disable', text: 'Disable…', title: 'Disable this destination?', look: 'quiet' },
              html`<p>
                  Nothing is sent to it until it is enabled. What happens meanwhile is in its log, and can be
                  sent again then; what waits now is tried then by itself.
                </p>
                ${consoleForm(session, `${path}/disable`, submit('Disable the destination'))}`,
            )
      }
      ${dialogButton(
        { id: 'secret', text: 'New secret…', title: 'Make a new secret?', look: 'quiet' },
        html`<p>While both sign, nothing is refused: hand the partner the new one in that time.</p>
          ${consoleForm(
            session,
            `${path}/secret`,
            html`${overlapField()}
              <p class="actions">${submit('Make a new secret')}</p>`,
          )}`,
      )}
      ${
        webhook.former_secret_until !== undefined &&
        dialogButton(
          { id: 'end', text: 'End the former secret…', title: 'End the former secret now?', look: 'quiet' },
          html`<p>
              It signs until ${time(webhook.former_secret_until)}. A receiver that does not know the new one
              refuses what comes from now on.
            </p>
            ${consoleForm(session, `${path}/secret/end`, submit('End the former secret now'))}`,
        )
      }
      ${dialogButton(
        { id: 'delete', text: 'Delete…', title: 'Delete this destination?', look: 'danger' },
        html`<p>What waits for it is dropped, and its log with it. This cannot be undone.</p>
          ${consoleForm(session, `${path}/delete`, submit('Delete the destination', 'danger'))}`,
      )}
    </div>`
}

/** One destination of a partner. */
export const destinationPage = (content: DestinationPage): Html => {
  const { session, partnerId, webhook, state } = content
  const path = `${destinationsPath(partnerId)}/${webhook.webhook_id}`
  return consolePage({
    session,
    current: PARTNERS_PATH,
    title: titleOf('Webhook', state),
    main: html`<h1>Webhook</h1>
      ${formFaults(state)}
      ${definitionList([
        { term: 'Id', value: html`<code>${webhook.webhook_id}</code>` },
        { term: 'Address', value: webhook.url },
        { term: 'Events', value: eventsOf(webhook) },
        { term: 'Status', value: statusOf(webhook) },
        {
          term: 'Secret',
          value:
            webhook.former_secret_until === undefined
              ? 'One'
              : html`Two: the former one signs until ${time(webhook.former_secret_until)}`,
        },
        { term: 'Created', value: time(webhook.created_at) },
      ])}
      <p class="actions">
        ${linkButton(`${path}/deliveries`, 'Deliveries', 'quiet')}
        ${linkButton(`${path}/events`, 'Events', 'quiet')}
        ${linkButton(`${path}/redeliveries`, 'Redeliveries', 'quiet')}
        ${linkButton(destinationsPath(partnerId), 'All webhooks', 'quiet')}
      </p>
      ${mayDo(session, 'admin') && changes(content)}`,
  })
}
