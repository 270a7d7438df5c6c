import { implement, reply, type Implementation } from '@causeway/chassis'
import { events } from '@causeway/contracts'
import type { Channel } from '../destinations/destination.ts'
import { createEventLog } from './log.ts'
import type { Parts } from '../dependencies.ts'
import { presentDelivery } from '../deliveries/page.ts'
import { presentEvent, toFilter, type EventQuery } from './presentation.ts'

type Named<N extends string> = Readonly<{ params: Readonly<Record<N, string>> }>

/** An owner's events and their deliveries, whoever the request says owns them. */
const handlersFor = <R>(parts: Parts, channel: Channel, ownerOf: (request: R) => string) => {
  const log = createEventLog(parts, channel)
  return {
    list: async (request: R & Readonly<{ query: EventQuery }>) => {
      const listed = await log.list(ownerOf(request), toFilter(request.query))
      if (!listed.ok) return listed
      return reply({ events: [...listed.value.items], next_cursor: listed.value.nextCursor })
    },

    get: async (request: R & Named<'eventId'>) => {
      const found = await log.get(ownerOf(request), request.params.eventId)
      if (!found.ok) return found
      return reply({ event: { ...presentEvent(found.value.row), payload: found.value.payload } })
    },

    listOfDestination: async (request: R & Named<'webhookId'> & Readonly<{ query: EventQuery }>) => {
      const { params, query } = request
      const listed = await log.listOfDestination(ownerOf(request), params.webhookId, toFilter(query))
      if (!listed.ok) return listed
      return reply({ events: [...listed.value.items], next_cursor: listed.value.nextCursor })
    },

    resend: async (request: R & Named<'webhookId' | 'eventId'>) => {
      const { webhookId, eventId } = request.params
      const sent = await log.resend(ownerOf(request), webhookId, eventId)
      return sent.ok ? reply({ delivery: presentDelivery(sent.value) }) : sent
    },
  }
}

type Own = Readonly<{ caller: Readonly<{ merchantId: string }> }>

/** The events of partners and merchants, apart from their deliveries, for staff and for the merchants themselves. */
export const eventOperations = (parts: Parts): Implementation[] => {
  const partner = handlersFor(parts, 'partner', ({ params }: Named<'partnerId'>) => params.partnerId)
  const merchant = handlersFor(parts, 'merchant', ({ params }: Named<'customerId'>) => params.customerId)
  const own = handlersFor(parts, 'merchant', ({ caller }: Own) => caller.merchantId)
  return implement(events, {
    list: partner.list,
    get: partner.get,
    listOfDestination: partner.listOfDestination,
    resend: partner.resend,
    listOfMerchant: merchant.list,
    getOfMerchant: merchant.get,
    listOfMerchantDestination: merchant.listOfDestination,
    resendOfMerchant: merchant.resend,
    listOwn: own.list,
    getOwn: own.get,
    listOfOwnDestination: own.listOfDestination,
    resendOwn: own.resend,
  })
}
