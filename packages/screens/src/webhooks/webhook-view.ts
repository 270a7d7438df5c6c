import type { Delivery } from '@causeway/contracts'
import {
  definitionList,
  dialogButton,
  html,
  linkButton,
  notice,
  submit,
  table,
  time,
  type Column,
  type Html,
  type Part,
} from '../design/index.ts'
import type { Webhook } from './client.ts'
import { healthOf, type Health } from './health.ts'
import { stateTag } from './log-view.ts'
import { webhookPath, type Paths, type Place } from './place.ts'
import { redeliveriesTitle } from './redeliveries-view.ts'
import { describeEvents } from './webhooks-view.ts'

/** Number of deliveries shown on the page of a webhook. */
const SHOWN = 20

const resultOf = (attempt: Delivery['attempts'][number] | undefined): string => {
  if (attempt === undefined) return 'No attempt yet'
  return attempt.status_code === null ? (attempt.error ?? 'No response') : `Status ${attempt.status_code}`
}

/** Returns the columns of a list of deliveries to one webhook. */
export const deliveryColumns = (paths: Paths, webhookId: string): Column<Delivery>[] => [
  {
    heading: 'Event',
    cell: ({ event_id: eventId, event_type: type }) =>
      html`<a href="${webhookPath(paths, webhookId)}/events/${eventId}">${type}</a>`,
  },
  { heading: 'State', cell: ({ status }) => stateTag(status) },
  { heading: 'Last attempt', cell: ({ attempts }) => resultOf(attempts.at(-1)) },
  { heading: 'Attempts', cell: ({ attempts }) => attempts.length, isNumber: true },
  {
    heading: 'Next attempt',
    cell: ({ next_attempt_at: at }) => (at === null ? '–' : time(at)),
  },
  { heading: 'Created', cell: ({ created_at: at }) => time(at) },
]

const percent = (share: number | null): string =>
  share === null ? 'none finished yet' : `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`
const milliseconds = (value: number | null): string => (value === null ? 'no response yet' : `${value} ms`)

const healthNotice = ({ total, failingSince }: Health): Html => {
  if (failingSince !== null)
    return notice(
      'bad',
      'This endpoint is failing.',
      html`All attempts since ${time(failingSince)} have failed. Open a delivery below to see the responses.`,
    )
  return total === 0
    ? notice(
        'neutral',
        'Nothing was sent to this webhook yet.',
        'A test event checks that the endpoint responds.',
      )
    : notice('good', 'The last attempt succeeded.')
}

const healthSection = (health: Health): Html =>
  html`<section class="sheet" aria-labelledby="health">
    <h2 id="health">Health</h2>
    ${healthNotice(health)}
    ${
      health.total > 0 &&
      definitionList([
        { term: `Delivered of the last ${health.total}`, value: percent(health.deliveredShare) },
        { term: 'Median response time', value: milliseconds(health.p50) },
        { term: '99th percentile of the response time', value: milliseconds(health.p99) },
      ])
    }
  </section>`

type WebhookPage = Readonly<{
  id: string
  /** Null for a webhook that cannot be managed from here. */
  webhook: Webhook | null
  /** The newest, up to 100. */
  deliveries: readonly Delivery[]
}>

/** Names who manages a webhook that is not in its owner's list. Staff set a checkout's own URL. */
const managerOf = (id: string): string =>
  id.startsWith('integration:') ? 'The support team of this platform' : 'The merchant'

const factsOf = ({ paths, mayChange }: Place, { webhook, id }: WebhookPage): Html =>
  definitionList([
    { term: 'Webhook', value: html`<code>${id}</code>` },
    ...(webhook === null
      ? [{ term: 'Managed by', value: managerOf(id) }]
      : [
          { term: 'Events', value: describeEvents(webhook) },
          {
            term: 'Secret',
            value:
              webhook.formerSecretUntil === null
                ? 'One'
                : html`Two: the former secret signs until ${time(webhook.formerSecretUntil)}.
                  ${mayChange && html`<a href="${webhookPath(paths, id)}/secret">Revoke it now</a>`}`,
          },
          { term: 'Added', value: time(webhook.createdAt) },
        ]),
  ])

const disableButton = (place: Place, path: string): Html =>
  dialogButton(
    { id: 'disable', text: 'Disable…', title: 'Disable this webhook?', look: 'quiet' },
    html`<p>
        No events are sent to it until you enable it. New events are only in the event log, and you can
        redeliver them later. Waiting deliveries are retried automatically after you enable it.
      </p>
      ${place.form(`${path}/disable`, submit('Disable the webhook'))}`,
  )

const actionsOf = (place: Place, { id, webhook }: WebhookPage): Html => {
  const path = webhookPath(place.paths, id)
  const canManage = webhook !== null && place.mayChange
  return html`<div class="actions">
    ${canManage && place.form(`${path}/test`, submit('Send a test event'))}
    ${canManage && webhook.disabledAt === null && disableButton(place, path)}
    ${linkButton(`${path}/events`, 'Events', 'quiet')}
    ${linkButton(`${path}/redeliveries`, redeliveriesTitle(place), 'quiet')}
    ${
      canManage &&
      html`${linkButton(`${path}/edit`, 'Change', 'quiet')}
      ${linkButton(`${path}/secret`, 'Rotate the secret', 'quiet')}
      ${linkButton(`${path}/delete`, 'Delete', 'quiet')}`
    }
  </div>`
}

/** Explains that the webhook is disabled, with the form that enables it. */
const disabledNotice = (place: Place, { id, webhook }: WebhookPage): Part =>
  webhook !== null &&
  webhook.disabledAt !== null &&
  html`${notice(
    'warning',
    'Disabled: no events are sent.',
    html`Disabled since ${time(webhook.disabledAt)}. New events are only in the event log: after the webhook
    is enabled, they can be redelivered. Waiting deliveries are then retried automatically. Test events are
    still sent.`,
  )}
  ${
    place.mayChange &&
    place.form(`${webhookPath(place.paths, id)}/enable`, html`<p class="actions">${submit('Enable')}</p>`)
  }`

/** Renders a webhook: its health, its actions and its latest deliveries. */
export const webhookPage = (place: Place, content: WebhookPage): Html => {
  const { id, webhook, deliveries } = content
  return place.page({
    title: webhook?.url ?? id,
    current: 'webhooks',
    main: html`<h1>${webhook?.url ?? id}</h1>
      ${disabledNotice(place, content)} ${factsOf(place, content)} ${actionsOf(place, content)}
      ${healthSection(healthOf(deliveries))}
      ${table({
        caption: 'Deliveries, newest first',
        columns: deliveryColumns(place.paths, id),
        rows: deliveries.slice(0, SHOWN),
        empty: 'No deliveries yet.',
      })}
      <p class="actions">
        ${linkButton(`${webhookPath(place.paths, id)}/deliveries`, 'All deliveries', 'quiet')}
      </p>`,
  })
}
