import type { LoggedEvent } from '@causeway/contracts'
import { definitionList, html, linkButton, pagination, table, time, type Html } from '../design/index.ts'
import type { EventWithPayload } from './client.ts'
import { payloadBlock } from './delivery-view.ts'
import { EVENTS_PATH, portalPage, webhookPath, type PortalSession } from './frame.ts'
import { EVENT_STATES, filterFields, shortPageHint, stateTag, type Filter } from './log-view.ts'

type EventsPage = Readonly<{
  session: PortalSession
  events: readonly LoggedEvent[]
  filter: Filter
  types: readonly string[] | null
  page: Readonly<{ first: string | null; next: string | null }>
}>

const deliveredTo = ({ deliveries }: LoggedEvent): Html | string =>
  deliveries.length === 0 ? 'No webhook' : html`${deliveries.map(({ status }) => stateTag(status))}`

/** Every event, those that no webhook took included. */
export const eventsPage = ({ session, events, filter, types, page }: EventsPage): Html =>
  portalPage({
    session,
    title: 'Event log',
    current: EVENTS_PATH,
    main: html`<h1>Event log</h1>
      <p>What happened, whether or not a webhook was told.</p>
      ${filterFields({
        action: EVENTS_PATH,
        filter,
        states: EVENT_STATES,
        types: types === null ? null : [...types, 'test'],
      })}
      ${table({
        caption: 'Events, newest first',
        columns: [
          {
            heading: 'Event',
            cell: (event) => html`<a href="${EVENTS_PATH}/${event.event_id}">${event.event_type}</a>`,
          },
          { heading: 'At your webhooks', cell: deliveredTo },
          { heading: 'Id', cell: (event) => html`<code>${event.event_id}</code>` },
          { heading: 'Happened', cell: (event) => time(event.created_at) },
        ],
        rows: events,
        empty: 'No event fits.',
      })}
      ${shortPageHint(page.next !== null && events.length === 0)} ${pagination(page)}`,
  })

/** One event, with what became of it at each webhook. */
export const eventPage = (session: PortalSession, event: EventWithPayload): Html =>
  portalPage({
    session,
    title: event.event_type,
    current: EVENTS_PATH,
    main: html`<h1>${event.event_type}</h1>
      ${definitionList([
        { term: 'Event', value: html`<code>${event.event_id}</code>` },
        { term: 'Happened', value: time(event.created_at) },
        ...(event.integration_id === null
          ? []
          : [{ term: 'Checkout', value: html`<code>${event.integration_id}</code>` }]),
      ])}
      ${table({
        caption: 'At your webhooks',
        columns: [
          {
            heading: 'Webhook',
            cell: ({ webhook_id: id }) =>
              html`<a href="${webhookPath(id)}/events/${event.event_id}">${id}</a>`,
          },
          { heading: 'State', cell: ({ status }) => stateTag(status) },
          {
            heading: 'Next attempt',
            cell: ({ next_attempt_at: at }) => (at === null ? '–' : time(at)),
          },
        ],
        rows: event.deliveries,
        empty: 'No webhook took it. Open a webhook and send many again to have it sent there.',
      })}
      <h2>What is sent</h2>
      ${payloadBlock(event)}
      <p class="actions">${linkButton(EVENTS_PATH, 'Back to the log', 'quiet')}</p>`,
  })
