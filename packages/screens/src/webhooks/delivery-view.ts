import type { Delivery, EventStatus } from '@causeway/contracts'
import {
  codeBlock,
  definitionList,
  html,
  linkButton,
  livePart,
  notice,
  pagination,
  submit,
  table,
  time,
  timeLine,
  type Html,
  type Moment,
} from '../design/index.ts'
import type { EventWithPayload } from './client.ts'
import {
  DELIVERY_STATES,
  filterFields,
  liveWhile,
  shortPageHint,
  stateTag,
  type Filter,
  type PageLinks,
} from './log-view.ts'
import { webhookPath, type Place } from './place.ts'
import { deliveryColumns } from './webhook-view.ts'

type Attempt = Delivery['attempts'][number]

/** Renders the payload of an event as indented JSON. */
export const payloadBlock = ({ payload }: Pick<EventWithPayload, 'payload'>): Html =>
  codeBlock('Payload', JSON.stringify(payload, null, 2))

const isAccepted = ({ status_code: code }: Attempt): boolean => code !== null && code >= 200 && code < 300

const answerOf = (attempt: Attempt): Html | string => {
  if (attempt.response_body_omitted === true) return 'The response is too long to show here.'
  if (attempt.response_body === null) return 'The response had no body.'
  return codeBlock(`Response at ${attempt.at}`, attempt.response_body)
}

const momentOf = (attempt: Attempt): Moment => ({
  at: attempt.at,
  title:
    attempt.status_code === null
      ? `No response: ${attempt.error ?? 'unknown'} (${attempt.latency_ms} ms)`
      : `Responded with ${attempt.status_code} in ${attempt.latency_ms} ms`,
  text:
    attempt.status_code === null
      ? 'Check that the URL is correct and its server is running.'
      : answerOf(attempt),
  tone: isAccepted(attempt) ? 'good' : 'bad',
})

const ADVICE: Readonly<Record<EventStatus, readonly [title: string, text: string]>> = {
  delivered: ['Delivered.', 'The endpoint responded with a status from 200 to 299.'],
  waiting: ['Delivery is in progress.', 'It is retried automatically.'],
  dead: [
    'Delivery failed.',
    'There are no more automatic retries. Fix the endpoint with the help of its responses, then resend the event.',
  ],
  missed: [
    'Not sent to this webhook.',
    'When the event was created, the webhook did not exist, was disabled or was not subscribed to this type.',
  ],
}
const TONES = { delivered: 'good', waiting: 'warning', dead: 'bad', missed: 'neutral' } as const

/** Test events belong to one webhook and time, so they cannot be resent. */
const isTest = (event: EventWithPayload): boolean => event.event_type === 'test'

type DeliveryPage = Readonly<{
  webhookId: string
  event: EventWithPayload
  /** Null where the event was never sent to this webhook. */
  delivery: Delivery | null
  problem: string | null
}>

/** Renders the delivery of an event to a webhook: its attempts with their responses, and the next attempt. */
export const deliveryPage = (place: Place, { webhookId, event, delivery, problem }: DeliveryPage): Html => {
  const status = delivery?.status ?? 'missed'
  const path = webhookPath(place.paths, webhookId)
  const [title, text] = ADVICE[status]
  const isWaiting = status === 'waiting' && problem === null
  return place.page({
    title: `${problem === null ? '' : 'Error: '}${event.event_type}`,
    current: 'webhooks',
    ...liveWhile(isWaiting),
    main: html`${livePart(
        { id: 'delivery', isUnderWay: isWaiting },
        html`<h1>${event.event_type} ${stateTag(status)}</h1>
          ${problem !== null && notice('bad', 'The event was not resent.', problem)}
          ${notice(TONES[status], title, text)}
          ${definitionList([
            {
              term: 'Event',
              value: html`<a href="${place.paths.events}/${event.event_id}">${event.event_id}</a>`,
            },
            { term: 'Created', value: time(event.created_at) },
            { term: 'Webhook', value: html`<a href="${path}">${webhookId}</a>` },
            {
              term: 'Next attempt',
              value: delivery?.next_attempt_at == null ? 'None' : time(delivery.next_attempt_at),
            },
          ])}
          ${
            place.mayChange &&
            !isTest(event) &&
            place.form(
              `${path}/events/${event.event_id}/resend`,
              html`<p class="actions">${submit(delivery === null ? 'Send' : 'Resend')}</p>`,
            )
          }
          <h2>Attempts</h2>
          ${
            delivery === null || delivery.attempts.length === 0
              ? html`<p>None yet.</p>`
              : timeLine('Attempts, oldest first', delivery.attempts.map(momentOf))
          }`,
      )}
      <h2>Payload</h2>
      ${payloadBlock(event)}`,
  })
}

type DeliveriesPage = Readonly<{
  webhookId: string
  deliveries: readonly Delivery[]
  filter: Filter
  page: PageLinks
}>

/** Renders the deliveries of one webhook. */
export const deliveriesPage = (
  place: Place,
  { webhookId, deliveries, filter, page }: DeliveriesPage,
): Html => {
  const path = webhookPath(place.paths, webhookId)
  return place.page({
    title: 'Deliveries',
    current: 'webhooks',
    main: html`<h1>Deliveries</h1>
      <p>Webhook <a href="${path}">${webhookId}</a></p>
      ${filterFields({
        action: `${path}/deliveries`,
        filter,
        states: DELIVERY_STATES,
        types: place.client.types,
      })}
      ${table({
        caption: 'Deliveries, newest first',
        columns: deliveryColumns(place.paths, webhookId),
        rows: deliveries,
        empty: 'No deliveries match the filter.',
      })}
      ${shortPageHint(page.next !== null && deliveries.length === 0)} ${pagination(page)}
      <p class="actions">${linkButton(path, 'Back to the webhook', 'quiet')}</p>`,
  })
}
