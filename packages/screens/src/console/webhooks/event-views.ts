import type { EventStatus, LoggedEvent } from '@causeway/contracts'
import {
  codeBlock,
  definitionList,
  filterForm,
  html,
  linkButton,
  pagination,
  selectField,
  submit,
  table,
  taggedStatus,
  textField,
  time,
  type Column,
  type Html,
} from '../../design/index.ts'
import { consoleForm, consolePage, type StaffSession } from '../frame.ts'
import { historyOf, type StaffActions } from '../history.ts'
import { mayDo } from '../roles.ts'
import type { LogPlace } from './owner.ts'

export const EVENT_STATUS = {
  waiting: ['neutral', 'Waiting'],
  delivered: ['good', 'Delivered'],
  dead: ['bad', 'Given up'],
  missed: ['warning', 'Missed'],
} as const satisfies Record<EventStatus, readonly [string, string]>

export type LogFilter = Readonly<{ status: string; event_type: string }>
export type PageLinks = Readonly<{ first: string | null; next: string | null }>

export const filterFields = (action: string, filter: LogFilter, statuses: readonly EventStatus[]): Html =>
  filterForm(
    action,
    html`${selectField({
        name: 'status',
        label: 'Status',
        value: filter.status,
        options: [
          { value: '', text: 'Any' },
          ...statuses.map((status) => ({ value: status, text: EVENT_STATUS[status][1] })),
        ],
      })}
      ${textField({ name: 'event_type', label: 'Event type', value: filter.event_type })}
      <p class="actions">${submit('Filter', 'quiet')} ${linkButton(action, 'Show all', 'quiet')}</p>`,
  )

export const resendForm = (session: StaffSession, path: string, webhookId: string, eventId: string): Html =>
  consoleForm(
    session,
    `${path}/webhooks/${webhookId}/events/${eventId}/resend`,
    submit('Send again', 'quiet'),
  )

const eventColumns = (path: string): Column<LoggedEvent>[] => [
  {
    heading: 'Event',
    cell: (event) => html`<a href="${path}/webhook-events/${event.event_id}">${event.event_id}</a>`,
  },
  { heading: 'Type', cell: (event) => event.event_type },
  { heading: 'When', cell: (event) => time(event.created_at) },
  {
    heading: 'Deliveries',
    cell: (event) =>
      event.deliveries.length === 0
        ? 'no destination'
        : event.deliveries.map(({ status }) => taggedStatus(EVENT_STATUS, status)),
  },
]

type EventsPage = Readonly<{
  session: StaffSession
  place: LogPlace
  /** Null: of all destinations, and of none. */
  webhookId: string | null
  events: readonly LoggedEvent[]
  filter: LogFilter
  page: PageLinks
}>

/** The events of an owner, or those that one destination got or would have taken. */
export const eventsPage = ({ session, place, webhookId, events, filter, page }: EventsPage): Html => {
  const { path } = place
  const action = webhookId === null ? `${path}/webhook-events` : `${path}/webhooks/${webhookId}/events`
  const resend: Column<LoggedEvent>[] =
    webhookId !== null && mayDo(session, 'admin')
      ? [{ heading: 'Actions', cell: (event) => resendForm(session, path, webhookId, event.event_id) }]
      : []
  return consolePage({
    session,
    current: place.current,
    title: 'Events',
    main: html`<h1>Events</h1>
      ${webhookId !== null && html`<p>Of the destination <code>${webhookId}</code>.</p>`}
      ${filterFields(action, filter, ['waiting', 'delivered', 'dead', 'missed'])}
      ${table({
        caption: 'Events, newest first',
        columns: [...eventColumns(path), ...resend],
        rows: events,
        empty: 'No event here.',
      })}
      ${pagination(page)}
      <p>${linkButton(path, `Back to the ${place.title.toLowerCase()}`, 'quiet')}</p>`,
  })
}

type Event = LoggedEvent & Readonly<{ payload: Readonly<Record<string, unknown>> }>

type EventPage = Readonly<{
  session: StaffSession
  place: LogPlace
  event: Event
  staffActions: StaffActions
}>

/** One event: what is sent of it, where it went, and what staff did with it. */
export const eventPage = ({ session, place, event, staffActions }: EventPage): Html =>
  consolePage({
    session,
    current: place.current,
    title: event.event_type,
    main: html`<h1>${event.event_type}</h1>
      ${definitionList([
        { term: 'Id', value: html`<code>${event.event_id}</code>` },
        { term: 'When', value: time(event.created_at) },
        { term: 'Integration', value: event.integration_id ?? 'none' },
      ])}
      ${table({
        caption: 'Deliveries',
        columns: [
          {
            heading: 'Destination',
            cell: (one) =>
              html`<a href="${place.path}/webhooks/${one.webhook_id}/deliveries">${one.webhook_id}</a>`,
          },
          { heading: 'Status', cell: ({ status }) => taggedStatus(EVENT_STATUS, status) },
          {
            heading: 'Next attempt',
            cell: ({ next_attempt_at: at }) => (at === null ? '–' : time(at)),
          },
          ...(mayDo(session, 'admin')
            ? [
                {
                  heading: 'Actions',
                  cell: (one: Event['deliveries'][number]) =>
                    resendForm(session, place.path, one.webhook_id, event.event_id),
                },
              ]
            : []),
        ],
        rows: event.deliveries,
        empty: 'No destination took it.',
      })}
      <h2>History</h2>
      ${historyOf(event.event_id, [{ at: event.created_at, title: 'Happened' }], staffActions)}
      <h2>What is sent</h2>
      ${codeBlock('What is sent', JSON.stringify(event.payload, null, 2))}
      <p>${linkButton(`${place.path}/webhook-events`, 'Back to the events', 'quiet')}</p>`,
  })
