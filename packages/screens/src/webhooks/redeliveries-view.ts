import type { Redelivery } from '@causeway/contracts'
import {
  definitionList,
  html,
  linkButton,
  livePart,
  selectField,
  submit,
  table,
  taggedStatus,
  textField,
  time,
  timeField,
  type Html,
} from '../design/index.ts'
import { formFaults, titleOf, type FormState } from '../form-state.ts'
import { liveWhile } from './log-view.ts'
import { webhookPath, type Place } from './place.ts'

const STATUS = {
  running: ['warning', 'Running'],
  done: ['good', 'Done'],
  cancelled: ['neutral', 'Stopped'],
} as const

const EVENTS = [
  { value: '', text: 'All events' },
  { value: 'dead', text: 'Only dead events' },
  { value: 'missed', text: 'Only events that were not sent' },
  { value: 'delivered', text: 'Only delivered events' },
]

/** Returns the progress through the time range in whole percent. */
const progressOf = ({ status, since, until, reached }: Redelivery): number => {
  const [from, to, at] = [since, until, reached].map((text) => Date.parse(text)) as [number, number, number]
  if (status === 'done' || to <= from) return 100
  return Math.min(99, Math.max(0, Math.floor((100 * (at - from)) / (to - from))))
}

const createForm = (place: Place, path: string, { entered, errors }: FormState): Html =>
  place.form(
    path,
    html`${timeField({
        name: 'since',
        label: 'Events from',
        hint: 'Start of the outage',
        value: entered.get('since') ?? '',
        error: errors['since'],
        isRequired: true,
      })}
      ${timeField({
        name: 'until',
        label: 'Before',
        hint: 'Leave empty for now',
        value: entered.get('until') ?? '',
        error: errors['until'],
      })}
      ${selectField({
        name: 'status',
        label: 'Which events',
        value: entered.get('status') ?? '',
        error: errors['status'],
        isRequired: true,
        options: EVENTS,
      })}
      ${textField({
        name: 'per_second',
        label: 'Maximum events per second',
        hint: '1 to 500; the default is 50',
        inputmode: 'numeric',
        value: entered.get('per_second') ?? '',
        error: errors['per_second'],
      })}
      <p class="actions">${submit('Redeliver events')}</p>`,
  )

const cancelForm = (place: Place, path: string, { status, redelivery_id: id }: Redelivery): Html | string =>
  status === 'running' ? place.form(`${path}/${id}/cancel`, submit('Stop', 'danger')) : '–'

/** Returns the name of the page: readers that may start a redelivery look for that action. */
export const redeliveriesTitle = ({ mayChange }: Place): string =>
  mayChange ? 'Redeliver events' : 'Redeliveries'

const redeliveriesTable = (place: Place, path: string, redeliveries: readonly Redelivery[]): Html =>
  table({
    caption: 'Redeliveries, newest first',
    columns: [
      {
        heading: 'Started',
        cell: (one) => html`<a href="${path}/${one.redelivery_id}">${time(one.created_at)}</a>`,
      },
      { heading: 'State', cell: ({ status }) => taggedStatus(STATUS, status) },
      { heading: 'Progress', cell: (one) => `${progressOf(one)} %`, isNumber: true },
      { heading: 'Sent', cell: ({ sent }) => sent, isNumber: true },
      { heading: 'From', cell: ({ since }) => time(since) },
      { heading: 'Before', cell: ({ until }) => time(until) },
      ...(place.mayChange
        ? [{ heading: 'Stop', cell: (one: Redelivery) => cancelForm(place, path, one) }]
        : []),
    ],
    rows: redeliveries,
    empty: 'No redeliveries yet.',
  })

type RedeliveriesPage = Readonly<{
  webhookId: string
  redeliveries: readonly Redelivery[]
  state: FormState
}>

/** Renders the redeliveries of a webhook with their progress, and the form that starts one. */
export const redeliveriesPage = (
  place: Place,
  { webhookId, redeliveries, state }: RedeliveriesPage,
): Html => {
  const webhook = webhookPath(place.paths, webhookId)
  const path = `${webhook}/redeliveries`
  const isRunning = redeliveries.some(({ status }) => status === 'running')
  const title = redeliveriesTitle(place)
  return place.page({
    title: titleOf(title, state),
    current: 'webhooks',
    ...liveWhile(isRunning),
    main: html`<h1>${title}</h1>
      <p>Webhook <a href="${webhook}">${webhookId}</a></p>
      ${formFaults(state)}
      ${
        (redeliveries.length > 0 || !place.mayChange) &&
        livePart({ id: 'redeliveries', isUnderWay: isRunning }, redeliveriesTable(place, path, redeliveries))
      }
      ${
        place.mayChange &&
        html`<section class="sheet" aria-labelledby="again">
          <h2 id="again">After an outage of the endpoint</h2>
          <p>
            Events are sent again in the order in which they were created, each with its original event_id.
          </p>
          ${createForm(place, path, state)}
        </section>`
      }
      <p class="actions">${linkButton(webhook, 'Back to the webhook', 'quiet')}</p>`,
  })
}

const eventsOf = ({ event_status: status }: Redelivery): string =>
  EVENTS.find(({ value }) => value === (status ?? ''))?.text ?? String(status)

/** Renders one redelivery with its progress. */
export const redeliveryPage = (place: Place, redelivery: Redelivery): Html => {
  const webhook = webhookPath(place.paths, redelivery.webhook_id)
  const path = `${webhook}/redeliveries`
  const isRunning = redelivery.status === 'running'
  return place.page({
    title: 'Redelivery',
    current: 'webhooks',
    ...liveWhile(isRunning),
    main: html`${livePart(
        { id: 'redelivery', isUnderWay: isRunning },
        html`<h1>Redelivery ${taggedStatus(STATUS, redelivery.status)}</h1>
          ${definitionList([
            { term: 'Id', value: html`<code>${redelivery.redelivery_id}</code>` },
            { term: 'Webhook', value: html`<a href="${webhook}">${redelivery.webhook_id}</a>` },
            { term: 'Which events', value: eventsOf(redelivery) },
            { term: 'From', value: time(redelivery.since) },
            { term: 'Before', value: time(redelivery.until) },
            { term: 'Progress', value: `${progressOf(redelivery)} %` },
            { term: 'Sent', value: redelivery.sent },
            { term: 'Maximum events per second', value: redelivery.per_second },
            { term: 'Started', value: time(redelivery.created_at) },
            {
              term: 'Ended',
              value: redelivery.finished_at === null ? 'Not yet' : time(redelivery.finished_at),
            },
          ])}
          ${isRunning && place.mayChange && cancelForm(place, path, redelivery)}`,
      )}
      <p class="actions">${linkButton(path, 'Back to the redeliveries', 'quiet')}</p>`,
  })
}
