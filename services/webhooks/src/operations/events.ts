import { implement, reply, type Implementation } from '@causeway/chassis'
import { events } from '@causeway/contracts'
import type { Channel } from '../domain/destination.ts'
import { createEventLog } from './event-log.ts'
import type { Parts } from './parts.ts'
import { presentDelivery, presentEvent, toFilter, type EventQuery } from './staff-log.ts'

type Of<P> = P & Readonly<{ webhookId: string }>

/** An owner's events in the operator API's words, whoever the path says owns them. */
export const eventHandlers = <P>(parts: Parts, channel: Channel, ownerOf: (params: P) => string) => {
  const log = createEventLog(parts, channel)
  return {
    async list({ params, query }: { params: P; query: EventQuery }) {
      const listed = await log.list(ownerOf(params), toFilter(query))
      if (!listed.ok) return listed
      return reply({ events: listed.value.rows.map(presentEvent), next_cursor: listed.value.nextCursor })
    },

    async read({ params }: { params: P & Readonly<{ eventId: string }> }) {
      const found = await log.read(ownerOf(params), params.eventId)
      if (!found.ok) return found
      return reply({ event: { ...presentEvent(found.value.row), payload: found.value.payload } })
    },

    async listOf({ params, query }: { params: Of<P>; query: EventQuery }) {
      const listed = await log.listOf(ownerOf(params), params.webhookId, toFilter(query))
      if (!listed.ok) return listed
      return reply({ events: listed.value.rows.map(presentEvent), next_cursor: listed.value.nextCursor })
    },

    async resend({ params }: { params: Of<P> & Readonly<{ eventId: string }> }) {
      const sent = await log.resend(ownerOf(params), params.webhookId, params.eventId)
      return sent.ok ? reply({ delivery: presentDelivery(sent.value) }) : sent
    },
  }
}

/** The events of a partner, apart from their deliveries. */
export const eventOperations = (parts: Parts): Implementation[] =>
  implement(
    events,
    eventHandlers(parts, 'partner', ({ partnerId }: Readonly<{ partnerId: string }>) => partnerId),
  )
