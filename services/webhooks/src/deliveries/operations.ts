import { implement, reply, type Implementation } from '@causeway/chassis'
import { deliveries } from '@causeway/contracts'
import type { Channel } from '../destinations/destination.ts'
import { createDeliveryLog } from './log.ts'
import type { Parts } from '../dependencies.ts'
import { presentDelivery } from './page.ts'
import { toFilter, type DeliveryQuery } from '../events/presentation.ts'

/** The log of a destination (decisions §12 and §14), whoever the request says owns it. */
const handlersFor = <R extends Readonly<{ params: Readonly<{ webhookId: string }> }>>(
  parts: Parts,
  channel: Channel,
  ownerOf: (request: R) => string,
) => {
  const log = createDeliveryLog(parts, channel)
  return {
    list: async (request: R & Readonly<{ query: DeliveryQuery }>) => {
      const listed = await log.list(ownerOf(request), request.params.webhookId, toFilter(request.query))
      if (!listed.ok) return listed
      return reply({
        deliveries: [...listed.value.items],
        next_cursor: listed.value.nextCursor,
      })
    },

    redeliver: async (request: R & Readonly<{ params: Readonly<{ deliveryId: string }>; now: Date }>) => {
      const { params, now } = request
      const sent = await log.redeliver(ownerOf(request), params.webhookId, params.deliveryId, now)
      return sent.ok ? reply({ delivery: presentDelivery(sent.value) }) : sent
    },
  }
}

type OfPartner = Readonly<{ params: Readonly<{ partnerId: string; webhookId: string }> }>
type OfMerchant = Readonly<{ params: Readonly<{ customerId: string; webhookId: string }> }>
type Own = Readonly<{ caller: Readonly<{ merchantId: string }>; params: Readonly<{ webhookId: string }> }>

/** The log of partners' destinations and of merchants' webhooks, for staff and for the merchants themselves. */
export const deliveryOperations = (parts: Parts): Implementation[] => {
  const partner = handlersFor(parts, 'partner', ({ params }: OfPartner) => params.partnerId)
  const merchant = handlersFor(parts, 'merchant', ({ params }: OfMerchant) => params.customerId)
  const own = handlersFor(parts, 'merchant', ({ caller }: Own) => caller.merchantId)
  return implement(deliveries, {
    list: partner.list,
    redeliver: partner.redeliver,
    listOfMerchant: merchant.list,
    redeliverOfMerchant: merchant.redeliver,
    listOwn: own.list,
    redeliverOwn: own.redeliver,
  })
}
