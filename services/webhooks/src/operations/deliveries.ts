import { implement, reply, type Implementation } from '@causeway/chassis'
import { deliveries } from '@causeway/contracts'
import type { Channel } from '../domain/destination.ts'
import { createDeliveryLog } from './delivery-log.ts'
import type { Parts } from './parts.ts'
import { presentDelivery, toFilter, type DeliveryQuery } from './staff-log.ts'

/** The log of a destination in the operator API's words (decisions §14), whoever the path says owns it. */
export const deliveryHandlers = <P extends Readonly<{ webhookId: string }>>(
  parts: Parts,
  channel: Channel,
  ownerOf: (params: P) => string,
) => {
  const log = createDeliveryLog(parts, channel)
  return {
    async list({ params, query }: { params: P; query: DeliveryQuery }) {
      const listed = await log.list(ownerOf(params), params.webhookId, toFilter(query))
      if (!listed.ok) return listed
      return reply({
        deliveries: listed.value.rows.map(presentDelivery),
        next_cursor: listed.value.nextCursor,
      })
    },

    async redeliver({ params, now }: { params: P & Readonly<{ deliveryId: string }>; now: Date }) {
      const sent = await log.redeliver(ownerOf(params), params.webhookId, params.deliveryId, now)
      return sent.ok ? reply({ delivery: presentDelivery(sent.value) }) : sent
    },
  }
}

type OfPartner = Readonly<{ partnerId: string; webhookId: string }>

/** The log of a partner destination. */
export const deliveryOperations = (parts: Parts): Implementation[] =>
  implement(
    deliveries,
    deliveryHandlers(parts, 'partner', ({ partnerId }: OfPartner) => partnerId),
  )
