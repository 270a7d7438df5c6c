import type { Delivery } from '@causeway/contracts'
import {
  codeBlock,
  emptyState,
  html,
  linkButton,
  pagination,
  submit,
  table,
  taggedStatus,
  time,
  type Html,
} from '../../design/index.ts'
import { consoleForm, consolePage, type StaffSession } from '../frame.ts'
import { mayDo } from '../roles.ts'
import { EVENT_STATUS, filterFields, type LogFilter, type PageLinks } from './event-views.ts'
import type { LogPlace } from './owner.ts'

type DeliveriesPage = Readonly<{
  session: StaffSession
  place: LogPlace
  webhookId: string
  deliveries: readonly Delivery[]
  filter: LogFilter
  page: PageLinks
}>

const answerOf = ({ response_body: body }: Delivery['attempts'][number]): Html | string =>
  body === null || body === '' ? '–' : codeBlock('Answer of the receiver', body)

const deliverySection = ({ session, place, webhookId }: DeliveriesPage, delivery: Delivery): Html => {
  const { delivery_id: id, event_id: eventId } = delivery
  return html`<article class="sheet" aria-labelledby="${id}">
    <h2 id="${id}">${delivery.event_type} ${taggedStatus(EVENT_STATUS, delivery.status)}</h2>
    <p>
      Event <a href="${place.path}/webhook-events/${eventId}">${eventId}</a>, ${time(delivery.created_at)}.
      ${delivery.next_attempt_at !== null && html`Next attempt ${time(delivery.next_attempt_at)}.`}
    </p>
    ${table({
      caption: `Attempts of ${id}`,
      columns: [
        { heading: 'When', cell: ({ at }) => time(at) },
        { heading: 'Result', cell: (attempt) => attempt.status_code ?? attempt.error ?? '–' },
        { heading: 'Milliseconds', cell: (attempt) => attempt.latency_ms, isNumber: true },
        { heading: 'Answer', cell: answerOf },
      ],
      rows: delivery.attempts,
      empty: 'No attempt yet.',
    })}
    ${
      mayDo(session, 'admin') &&
      consoleForm(
        session,
        `${place.path}/webhooks/${webhookId}/deliveries/${id}/redeliver`,
        submit('Send again', 'quiet'),
      )
    }
  </article>`
}

/** The deliveries of one destination, each with its attempts and what the receiver answered. */
export const deliveriesPage = (content: DeliveriesPage): Html => {
  const { session, place, webhookId, deliveries, filter, page } = content
  const path = `${place.path}/webhooks/${webhookId}`
  return consolePage({
    session,
    current: place.current,
    title: 'Deliveries',
    main: html`<h1>Deliveries</h1>
      <p>To the destination <code>${webhookId}</code>, newest first.</p>
      <p class="actions">
        ${linkButton(`${path}/events`, 'Events of the destination', 'quiet')}
        ${linkButton(`${path}/redeliveries`, 'Redeliveries', 'quiet')}
        ${linkButton(place.path, `Back to the ${place.title.toLowerCase()}`, 'quiet')}
      </p>
      ${filterFields(`${path}/deliveries`, filter, ['waiting', 'delivered', 'dead'])}
      ${
        deliveries.length === 0
          ? emptyState('No delivery here.')
          : deliveries.map((delivery) => deliverySection(content, delivery))
      }
      ${pagination(page)}`,
  })
}
