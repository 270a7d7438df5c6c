import { implement, reply, type Implementation } from '@causeway/chassis'
import { redeliveries, type RedeliveryRequest } from '@causeway/contracts'
import type { Channel } from '../destinations/destination.ts'
import type { Parts } from '../dependencies.ts'
import { createRedeliveryLog } from './log.ts'
import { presentRedelivery } from '../events/presentation.ts'

/** Sending events again in bulk, whoever the request says owns the destination. */
const handlersFor = <R extends Readonly<{ params: Readonly<{ webhookId: string }> }>>(
  parts: Parts,
  channel: Channel,
  ownerOf: (request: R) => string,
) => {
  const log = createRedeliveryLog(parts, channel)
  type One = R & Readonly<{ params: Readonly<{ redeliveryId: string }> }>
  return {
    create: async (request: R & Readonly<{ body: RedeliveryRequest; now: Date }>) => {
      const { params, body, now } = request
      const { per_second: perSecond, ...wanted } = body
      const created = await log.create(ownerOf(request), params.webhookId, { ...wanted, perSecond }, now)
      return created.ok ? reply({ redelivery: presentRedelivery(created.value) }) : created
    },

    list: async (request: R) => {
      const listed = await log.list(ownerOf(request), request.params.webhookId)
      return listed.ok ? reply({ redeliveries: listed.value.map(presentRedelivery) }) : listed
    },

    get: async (request: One) => {
      const { webhookId, redeliveryId } = request.params
      const found = await log.get(ownerOf(request), webhookId, redeliveryId)
      return found.ok ? reply({ redelivery: presentRedelivery(found.value) }) : found
    },

    cancel: async (request: One & Readonly<{ now: Date }>) => {
      const { webhookId, redeliveryId } = request.params
      const ended = await log.cancel(ownerOf(request), webhookId, redeliveryId, request.now)
      return ended.ok ? reply({ redelivery: presentRedelivery(ended.value) }) : ended
    },
  }
}

type OfPartner = Readonly<{ params: Readonly<{ partnerId: string; webhookId: string }> }>
type OfMerchant = Readonly<{ params: Readonly<{ customerId: string; webhookId: string }> }>
type Own = Readonly<{ caller: Readonly<{ merchantId: string }>; params: Readonly<{ webhookId: string }> }>

/** Sending a destination's events again in bulk, by staff and by merchants themselves. */
export const redeliveryOperations = (parts: Parts): Implementation[] => {
  const partner = handlersFor(parts, 'partner', ({ params }: OfPartner) => params.partnerId)
  const merchant = handlersFor(parts, 'merchant', ({ params }: OfMerchant) => params.customerId)
  const own = handlersFor(parts, 'merchant', ({ caller }: Own) => caller.merchantId)
  return implement(redeliveries, {
    create: partner.create,
    list: partner.list,
    get: partner.get,
    cancel: partner.cancel,
    createOfMerchant: merchant.create,
    listOfMerchant: merchant.list,
    getOfMerchant: merchant.get,
    cancelOfMerchant: merchant.cancel,
    createOwn: own.create,
    listOwn: own.list,
    getOwn: own.get,
    cancelOwn: own.cancel,
  })
}
