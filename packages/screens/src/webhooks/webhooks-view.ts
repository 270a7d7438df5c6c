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
import type { PageLinks } from './log-view.ts'
import { webhookPath, type ManagedPlace, type Paths, type Place } from './place.ts'

export const newWebhookPath = ({ webhooks }: Paths): string => `${webhooks}/new`

/** Describes the events of a webhook. */
export const describeEvents = ({ eventTypes, integrationId }: Webhook): string => {
  if (eventTypes === null) return integrationId === null ? 'All checkouts' : `Checkout ${integrationId}`
  return eventTypes.length === 0 ? 'All events that need not be selected' : eventTypes.join(', ')
}

/** Renders the list of webhooks. */
export const webhooksPage = (place: ManagedPlace, webhooks: readonly Webhook[], page: PageLinks): Html =>
  place.page({
    title: 'Webhooks',
    current: 'webhooks',
    main: html`<h1>Webhooks</h1>
      <p>Events are sent to these URLs. Open a webhook to see its deliveries.</p>
      ${table({
        caption: 'Webhooks, oldest first',
        columns: [
          {
            heading: 'URL',
            cell: ({ id, url }) => html`<a href="${webhookPath(place.paths, id)}">${url}</a>`,
          },
          { heading: 'Events', cell: describeEvents },
          {
            heading: 'Secret',
            cell: ({ formerSecretUntil }) =>
              formerSecretUntil === null ? 'One' : statusTag('warning', 'Two (rotation)'),
          },
          {
            heading: 'Status',
            cell: ({ disabledAt }) =>
              disabledAt === null ? statusTag('good', 'Active') : statusTag('warning', 'Disabled'),
          },
          { heading: 'Added', cell: ({ createdAt }) => time(createdAt) },
        ],
        rows: webhooks,
        empty: 'No webhooks yet. Add the URL of an endpoint that receives the events.',
      })}
      ${webhooks.length > 0 && pagination(page)}
      ${
        place.mayChange &&
        html`<p class="actions">${linkButton(newWebhookPath(place.paths), 'Add a webhook')}</p>`
      }`,
  })

type Choice = Pick<ManagedPlace['client'], 'choosableTypes' | 'optInTypes'>

const fields = (
  { entered, errors }: FormState,
  { choosableTypes: choosable, optInTypes: optIn }: Choice,
): Html => html`
  ${textField({
    name: 'url',
    label: 'Endpoint URL',
    hint:
      choosable === null
        ? 'Must begin with https://. /service/webhook is appended to the path if it is missing.'
        : 'Must begin with https://',
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
          hint: 'The id of a checkout, which begins with int_. Leave empty for all checkouts.',
          value: entered.get('integrationId') ?? '',
          error: errors['integrationId'],
        })
      : checkboxes({
          name: 'event_types',
          label: 'Events',
          hint: 'Select none to receive all events, including types that are added later, except those that must be selected',
          options: choosable.map((type) => ({
            value: type,
            text: optIn.includes(type) ? `${type} (must be selected)` : type,
          })),
          values: entered.getAll('event_types'),
          error: errors['event_types'],
        })
  }
`

export const newWebhookPage = (place: ManagedPlace, state: FormState): Html =>
  place.page({
    title: titleOf('Add a webhook', state),
    current: 'webhooks',
    main: html`<h1>Add a webhook</h1>
      ${formFaults(state)}
      ${place.form(
        newWebhookPath(place.paths),
        html`${fields(state, place.client)}
          <p class="actions">${submit('Add')} ${linkButton(place.paths.list, 'Back', 'quiet')}</p>`,
      )}`,
  })

export const editWebhookPage = (place: ManagedPlace, id: string, state: FormState): Html => {
  const path = webhookPath(place.paths, id)
  return place.page({
    title: titleOf('Change a webhook', state),
    current: 'webhooks',
    main: html`<h1>Change a webhook</h1>
      <p>Changes apply from the next attempt, also to waiting deliveries.</p>
      ${formFaults(state)}
      ${place.form(
        `${path}/edit`,
        html`${fields(state, place.client)}
          <p class="actions">${submit('Save')} ${linkButton(path, 'Back', 'quiet')}</p>`,
      )}`,
  })
}

/** Renders the confirmation page for deleting a webhook. */
export const deleteWebhookPage = (place: Place, { id, url }: Webhook): Html => {
  const path = webhookPath(place.paths, id)
  return place.page({
    title: 'Delete a webhook',
    current: 'webhooks',
    main: html`<h1>Delete this webhook?</h1>
      <p><code>${url}</code></p>
      <p>Its waiting deliveries and its log are deleted too. You cannot undo this.</p>
      ${place.form(
        `${path}/delete`,
        html`<p class="actions">
          ${submit('Delete the webhook', 'danger')} ${linkButton(path, 'Keep it', 'quiet')}
        </p>`,
      )}`,
  })
}
