import {
  checkboxes,
  html,
  linkButton,
  pagination,
  statusTag,
  submit,
  table,
  textField,
  time,
  type Html,
} from '../design/index.ts'
import { formFaults, titleOf, type FormState } from '../form-state.ts'
import type { Webhook } from './client.ts'
import { portalForm, portalPage, webhookPath, WEBHOOKS_PATH, type PortalSession } from './frame.ts'

export const NEW_WEBHOOK_PATH = '/portal/webhooks/new'

/** What a webhook takes, in words. @param choosable all types that its owner may choose; null: it chooses none */
export const takes = (
  { eventTypes, integrationId }: Webhook,
  choosable: readonly string[] | null,
): string => {
  if (eventTypes === null)
    return integrationId === null ? 'Events of every checkout' : `Events of the checkout ${integrationId}`
  return eventTypes.length === choosable?.length ? 'Every event' : eventTypes.join(', ')
}

type WebhooksPage = Readonly<{
  session: PortalSession
  webhooks: readonly Webhook[]
  choosable: readonly string[] | null
  page: Readonly<{ first: string | null; next: string | null }>
}>

/** Every receiver, and the way to a further one. */
export const webhooksPage = ({ session, webhooks, choosable, page }: WebhooksPage): Html =>
  portalPage({
    session,
    title: 'Webhooks',
    current: WEBHOOKS_PATH,
    main: html`<h1>Webhooks</h1>
      <p>Each address here is sent your events. Open one to see what it answered.</p>
      ${table({
        caption: 'Your webhooks, oldest first',
        columns: [
          {
            heading: 'Address',
            cell: ({ id, url }) => html`<a href="${webhookPath(id)}">${url}</a>`,
          },
          { heading: 'Takes', cell: (webhook) => takes(webhook, choosable) },
          {
            heading: 'Secret',
            cell: ({ formerSecretUntil }) =>
              formerSecretUntil === null ? 'One' : statusTag('warning', 'Two, while you rotate it'),
          },
          {
            heading: 'Status',
            cell: ({ disabledAt }) =>
              disabledAt === null ? statusTag('good', 'Active') : statusTag('warning', 'Disabled'),
          },
          { heading: 'Added', cell: ({ createdAt }) => time(createdAt) },
        ],
        rows: webhooks,
        empty: 'There is no webhook yet: nobody is told of your events. Add the address of your receiver.',
      })}
      ${webhooks.length > 0 && pagination(page)}
      <p class="actions">${linkButton(NEW_WEBHOOK_PATH, 'Add a webhook')}</p>`,
  })

const fields = ({ entered, errors }: FormState, choosable: readonly string[] | null): Html => html`
  ${textField({
    name: 'url',
    label: 'Address of your receiver',
    hint:
      choosable === null
        ? 'Begins with https://; its path is made to end in /service/webhook'
        : 'Begins with https://',
    type: 'url',
    value: entered.get('url') ?? '',
    error: errors['url'],
    isRequired: true,
  })}
  ${
    choosable === null
      ? textField({
          name: 'integrationId',
          label: 'Checkout',
          hint: 'The id of one of your checkouts, which begins with int_; empty: every checkout',
          value: entered.get('integrationId') ?? '',
          error: errors['integrationId'],
        })
      : checkboxes({
          name: 'event_types',
          label: 'Events',
          hint: 'None ticked: every event, and types that are added later',
          options: choosable.map((type) => ({ value: type, text: type })),
          values: entered.getAll('event_types'),
          error: errors['event_types'],
        })
  }
`

type WebhookForm = Readonly<{
  session: PortalSession
  choosable: readonly string[] | null
  state: FormState
}>

export const newWebhookPage = ({ session, choosable, state }: WebhookForm): Html =>
  portalPage({
    session,
    title: titleOf('Add a webhook', state),
    current: WEBHOOKS_PATH,
    main: html`<h1>Add a webhook</h1>
      ${formFaults(state)}
      ${portalForm(
        session,
        NEW_WEBHOOK_PATH,
        html`${fields(state, choosable)}
          <p class="actions">${submit('Add')} ${linkButton(WEBHOOKS_PATH, 'Back', 'quiet')}</p>`,
      )}`,
  })

export const editWebhookPage = ({ session, choosable, state }: WebhookForm, id: string): Html =>
  portalPage({
    session,
    title: titleOf('Change a webhook', state),
    current: WEBHOOKS_PATH,
    main: html`<h1>Change a webhook</h1>
      <p>A change counts from the next attempt on, for what waits too.</p>
      ${formFaults(state)}
      ${portalForm(
        session,
        `${webhookPath(id)}/edit`,
        html`${fields(state, choosable)}
          <p class="actions">${submit('Save')} ${linkButton(webhookPath(id), 'Back', 'quiet')}</p>`,
      )}`,
  })

/** Asks once more before a webhook is deleted. */
export const deleteWebhookPage = (session: PortalSession, { id, url }: Webhook): Html =>
  portalPage({
    session,
    title: 'Delete a webhook',
    current: WEBHOOKS_PATH,
    main: html`<h1>Delete this webhook?</h1>
      <p><code>${url}</code></p>
      <p>What waits for it is dropped, and its log with it. This cannot be undone.</p>
      ${portalForm(
        session,
        `${webhookPath(id)}/delete`,
        html`<p class="actions">
          ${submit('Delete the webhook', 'danger')} ${linkButton(webhookPath(id), 'Keep it', 'quiet')}
        </p>`,
      )}`,
  })
