import type { Delivery, EventStatus } from '@causeway/contracts'
import {
  codeBlock,
  definitionList,
  html,
  linkButton,
  LIVE_SCRIPTS,
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
  EVENTS_PATH,
  portalForm,
  portalPage,
  webhookPath,
  WEBHOOKS_PATH,
  type PortalSession,
} from './frame.ts'
import { DELIVERY_STATES, filterFields, shortPageHint, stateTag, type Filter } from './log-view.ts'
import { deliveryColumns } from './webhook-view.ts'

type Attempt = Delivery['attempts'][number]

/** The body of an event in lines, as people read it. */
export const payloadBlock = ({ payload }: Pick<EventWithPayload, 'payload'>): Html =>
  codeBlock('The body that is sent', JSON.stringify(payload, null, 2))

const isTaken = ({ status_code: code }: Attempt): boolean => code !== null && code >= 200 && code < 300

const answerOf = (attempt: Attempt): Html | string => {
  if (attempt.response_body_omitted === true) return 'The answer is too long to be shown with the others.'
  if (attempt.response_body === null) return 'The answer had no body.'
  return codeBlock(`What was answered at ${attempt.at}`, attempt.response_body)
}

const momentOf = (attempt: Attempt): Moment => ({
  at: attempt.at,
  title:
    attempt.status_code === null
      ? `No answer: ${attempt.error ?? 'unknown'} (${attempt.latency_ms} ms)`
      : `Answered ${attempt.status_code} in ${attempt.latency_ms} ms`,
  text:
    attempt.status_code === null ? 'See that the address is right and its server is up.' : answerOf(attempt),
  tone: isTaken(attempt) ? 'good' : 'bad',
})

const ADVICE: Readonly<Record<EventStatus, readonly [title: string, text: string]>> = {
  delivered: ['It arrived.', 'The receiver answered with a status from 200 to 299.'],
  waiting: ['It is on its way.', 'It is tried again by itself. To send it at once, use the button.'],
  dead: [
    'It was given up.',
    'Nothing more is tried by itself. Mend the receiver by what it answered, then send it again.',
  ],
  missed: ['It was never sent here.', 'The webhook did not take it when it happened.'],
}
const TONES = { delivered: 'good', waiting: 'warning', dead: 'bad', missed: 'neutral' } as const

/** A test call is of the one webhook and moment that it was made for: nobody sends it again. */
const isTest = (event: EventWithPayload): boolean => event.event_type === 'test'

/** Seconds after which a browser without JavaScript looks again while it is on its way. */
const REFRESH_SECONDS = 5

type DeliveryPage = Readonly<{
  session: PortalSession
  webhookId: string
  event: EventWithPayload
  /** Null where the event was never sent to this webhook. */
  delivery: Delivery | null
  problem: string | null
}>

/** One event at one webhook: each attempt with what was answered, and the next one. */
export const deliveryPage = ({ session, webhookId, event, delivery, problem }: DeliveryPage): Html => {
  const status = delivery?.status ?? 'missed'
  const path = webhookPath(webhookId)
  const [title, text] = ADVICE[status]
  const isWaiting = status === 'waiting' && problem === null
  return portalPage({
    session,
    title: `${problem === null ? '' : 'Error: '}${event.event_type}`,
    current: WEBHOOKS_PATH,
    ...(isWaiting ? { refreshSeconds: REFRESH_SECONDS, scripts: LIVE_SCRIPTS } : {}),
    main: html`${livePart(
        { id: 'delivery', isUnderWay: isWaiting },
        html`<h1>${event.event_type} ${stateTag(status)}</h1>
          ${problem !== null && notice('bad', 'It was not sent again.', problem)}
          ${notice(TONES[status], title, text)}
          ${definitionList([
            { term: 'Event', value: html`<a href="${EVENTS_PATH}/${event.event_id}">${event.event_id}</a>` },
            { term: 'Happened', value: time(event.created_at) },
            { term: 'To', value: html`<a href="${path}">${webhookId}</a>` },
            {
              term: 'Next attempt',
              value: delivery?.next_attempt_at == null ? 'None' : time(delivery.next_attempt_at),
            },
          ])}
          ${
            !isTest(event) &&
            portalForm(
              session,
              `${path}/events/${event.event_id}/resend`,
              html`<p class="actions">${submit(delivery === null ? 'Send it' : 'Send it again')}</p>`,
            )
          }
          <h2>Attempts</h2>
          ${
            delivery === null || delivery.attempts.length === 0
              ? html`<p>None yet.</p>`
              : timeLine('Attempts, oldest first', delivery.attempts.map(momentOf))
          }`,
      )}
      <h2>What is sent</h2>
      ${payloadBlock(event)}`,
  })
}

type DeliveriesPage = Readonly<{
  session: PortalSession
  webhookId: string
  deliveries: readonly Delivery[]
  filter: Filter
  types: readonly string[] | null
  page: Readonly<{ first: string | null; next: string | null }>
}>

/** The deliveries of one webhook. */
export const deliveriesPage = (content: DeliveriesPage): Html => {
  const { session, webhookId, deliveries, filter, types, page } = content
  const path = webhookPath(webhookId)
  return portalPage({
    session,
    title: 'Deliveries',
    current: WEBHOOKS_PATH,
    main: html`<h1>Deliveries</h1>
      <p>To <a href="${path}">${webhookId}</a></p>
      ${filterFields({
        action: `${path}/deliveries`,
        filter,
        states: DELIVERY_STATES,
        types: types === null ? null : [...types, 'test'],
      })}
      ${table({
        caption: 'Deliveries, newest first',
        columns: deliveryColumns(webhookId),
        rows: deliveries,
        empty: 'No delivery fits.',
      })}
      ${shortPageHint(page.next !== null && deliveries.length === 0)} ${pagination(page)}
      <p class="actions">${linkButton(path, 'Back to the webhook', 'quiet')}</p>`,
  })
}
