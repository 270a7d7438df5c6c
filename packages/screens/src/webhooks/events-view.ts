import type { LoggedEvent } from '@causeway/contracts'
import { definitionList, html, linkButton, pagination, table, time, type Html } from '../design/index.ts'
import type { EventWithPayload } from './client.ts'
import { payloadBlock } from './delivery-view.ts'
import {
  EVENT_STATES,
  filterFields,
  shortPageHint,
  stateTag,
  type Filter,
  type PageLinks,
} from './log-view.ts'
import { webhookPath, type Place } from './place.ts'

type EventsPage = Readonly<{
  /** Null for all events of the owner, including those that were sent to no webhook. */
  webhookId: string | null
  events: readonly LoggedEvent[]
  filter: Filter
  page: PageLinks
}>

const deliveredTo = ({ deliveries }: LoggedEvent): Html | string =>
  deliveries.length === 0 ? 'Not sent' : html`${deliveries.map(({ status }) => stateTag(status))}`

/** Renders the event log of an owner, or the events that one webhook received or would have received. */
export const eventsPage = (place: Place, { webhookId, events, filter, page }: EventsPage): Html => {
  const { paths, client } = place
  const path = webhookId === null ? paths.events : `${webhookPath(paths, webhookId)}/events`
  const title = webhookId === null ? 'Event log' : 'Events of a webhook'
  return place.page({
    title,
    current: webhookId === null ? 'events' : 'webhooks',
    main: html`<h1>${title}</h1>
      ${
        webhookId === null
          ? html`<p>All events, whether or not they were sent to a webhook.</p>`
          : html`<p>
              The events that the webhook <a href="${webhookPath(paths, webhookId)}">${webhookId}</a> received
              or missed.
            </p>`
      }
      ${filterFields({ action: path, filter, states: EVENT_STATES, types: client.types })}
      ${table({
        caption: 'Events, newest first',
        columns: [
          {
            heading: 'Event',
            cell: (event) => html`<a href="${path}/${event.event_id}">${event.event_type}</a>`,
          },
          { heading: webhookId === null ? 'Deliveries' : 'State', cell: deliveredTo },
          { heading: 'Id', cell: (event) => html`<code>${event.event_id}</code>` },
          { heading: 'Created', cell: (event) => time(event.created_at) },
        ],
        rows: events,
        empty: 'No events match the filter.',
      })}
      ${shortPageHint(page.next !== null && events.length === 0)} ${pagination(page)}`,
  })
}

/** Renders an event with its delivery to each webhook. @param history staff actions on it; null outside the console */
export const eventPage = (place: Place, event: EventWithPayload, history: Html | null): Html => {
  const { paths } = place
  return place.page({
    title: event.event_type,
    current: 'events',
    main: html`<h1>${event.event_type}</h1>
      ${definitionList([
        { term: 'Event', value: html`<code>${event.event_id}</code>` },
        { term: 'Created', value: time(event.created_at) },
        ...(event.integration_id === null
          ? []
          : [{ term: 'Checkout', value: html`<code>${event.integration_id}</code>` }]),
      ])}
      ${table({
        caption: 'Deliveries',
        columns: [
          {
            heading: 'Webhook',
            cell: ({ webhook_id: id }) =>
              html`<a href="${webhookPath(paths, id)}/events/${event.event_id}">${id}</a>`,
          },
          { heading: 'State', cell: ({ status }) => stateTag(status) },
          {
            heading: 'Next attempt',
            cell: ({ next_attempt_at: at }) => (at === null ? '–' : time(at)),
          },
        ],
        rows: event.deliveries,
        empty: 'This event was sent to no webhook. To send it, open a webhook and redeliver its events.',
      })}
      ${
        history !== null &&
        html`<h2>History</h2>
          ${history}`
      }
      <h2>Payload</h2>
      ${payloadBlock(event)}
      <p class="actions">${linkButton(paths.events, 'Back to the event log', 'quiet')}</p>`,
  })
}
