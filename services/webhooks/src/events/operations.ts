import { implement, reply, type Implementation } from '@causeway/chassis'
import { events } from '@causeway/contracts'
import type { Channel } from '../destinations/destination.ts'
import { createEventLog } from './log.ts'
import type { Parts } from '../dependencies.ts'
import { presentDelivery } from '../deliveries/page.ts'
import { presentEvent, toFilter, type EventQuery } from './presentation.ts'

type Named<N extends string> = Readonly<{ params: Readonly<Record<N, string>> }>

/** An owner's events and their deliveries, whoever the request says owns them. */
export const eventHandlers = <R>(parts: Parts, channel: Channel, ownerOf: (request: R) => string) => {
  const log = createEventLog(parts, channel)
  return {
    async list(request: R & Readonly<{ query: EventQuery }>) {
      const listed = await log.list(ownerOf(request), toFilter(request.query))
      if (!listed.ok) return listed
      return reply({ events: [...listed.value.items], next_cursor: listed.value.nextCursor })
    },

    async read(request: R & Named<'eventId'>) {
      const found = await log.read(ownerOf(request), request.params.eventId)
      if (!found.ok) return found
      return reply({ event: { ...presentEvent(found.value.row), payload: found.value.payload } })
    },

    async listOf(request: R & Named<'webhookId'> & Readonly<{ query: EventQuery }>) {
      const { params, query } = request
      const listed = await log.listOf(ownerOf(request), params.webhookId, toFilter(query))
      if (!listed.ok) return listed
      return reply({ events: [...listed.value.items], next_cursor: listed.value.nextCursor })
    },

    async resend(request: R & Named<'webhookId' | 'eventId'>) {
      const { webhookId, eventId } = request.params
      const sent = await log.resend(ownerOf(request), webhookId, eventId)
      return sent.ok ? reply({ delivery: presentDelivery(sent.value) }) : sent
    },
  }
}

/** The events of a partner, apart from their deliveries. */
export const eventOperations = (parts: Parts): Implementation[] =>
  implement(
    events,
    eventHandlers(parts, 'partner', ({ params }: Named<'partnerId'>) => params.partnerId),
  )
