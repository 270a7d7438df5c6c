import { implement, type Implementation } from '@causeway/chassis'
import { redeliveries, type RedeliveryRequest } from '@causeway/contracts'
import type { Dependencies } from '../dependencies.ts'
import type { Channel } from '../destinations/domain.ts'
import { createRedeliveryLog } from './log.ts'

type OfPartner = Readonly<{ params: Readonly<{ partnerId: string; webhookId: string }> }>
type OfMerchant = Readonly<{ params: Readonly<{ customerId: string; webhookId: string }> }>
type Own = Readonly<{ caller: Readonly<{ merchantId: string }>; params: Readonly<{ webhookId: string }> }>

type OwnOfPartner = Readonly<{
  caller: Readonly<{ partnerId: string }>
  params: Readonly<{ webhookId: string }>
}>

/** The handlers of one audience. @param ownerOf who owns the destination, by the request */
const handlersFor = <R extends Readonly<{ params: Readonly<{ webhookId: string }> }>>(
  dependencies: Dependencies,
  channel: Channel,
  ownerOf: (request: R) => string,
) => {
  const log = createRedeliveryLog(dependencies, channel)
  type One = R & Readonly<{ params: Readonly<{ redeliveryId: string }> }>
  return {
    create: (request: R & Readonly<{ body: RedeliveryRequest; now: Date }>) =>
      log.create(ownerOf(request), request.params.webhookId, request.body, request.now),
    list: (request: R) => log.list(ownerOf(request), request.params.webhookId),
    get: (request: One) => log.get(ownerOf(request), request.params.webhookId, request.params.redeliveryId),
    cancel: (request: One & Readonly<{ now: Date }>) =>
      log.cancel(ownerOf(request), request.params.webhookId, request.params.redeliveryId, request.now),
  }
}

/** Sending a destination's events again in bulk, by staff and by the owners themselves. */
export const redeliveryOperations = (dependencies: Dependencies): Implementation[] => {
  const partner = handlersFor(dependencies, 'partner', ({ params }: OfPartner) => params.partnerId)
  const merchant = handlersFor(dependencies, 'merchant', ({ params }: OfMerchant) => params.customerId)
  const own = handlersFor(dependencies, 'merchant', ({ caller }: Own) => caller.merchantId)
  const endpoint = handlersFor(dependencies, 'partner', ({ caller }: OwnOfPartner) => caller.partnerId)
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
    createOfEndpoint: endpoint.create,
    listOfEndpoint: endpoint.list,
    getOfEndpoint: endpoint.get,
    cancelOfEndpoint: endpoint.cancel,
  })
}
