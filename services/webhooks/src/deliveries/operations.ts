import { implement, reply, type Implementation } from '@causeway/chassis'
import { deliveries } from '@causeway/contracts'
import type { Dependencies } from '../dependencies.ts'
import type { Channel } from '../destinations/domain.ts'
import { listDead } from './dead.ts'
import { createDeliveryLog, type DeliveryFilter } from './log.ts'
import { presentDelivery } from './page.ts'

type OfPartner = Readonly<{ params: Readonly<{ partnerId: string; webhookId: string }> }>
type OfMerchant = Readonly<{ params: Readonly<{ customerId: string; webhookId: string }> }>
type Own = Readonly<{ caller: Readonly<{ merchantId: string }>; params: Readonly<{ webhookId: string }> }>

/** The handlers of one audience. @param ownerOf who owns the destination, by the request */
const handlersFor = <R extends Readonly<{ params: Readonly<{ webhookId: string }> }>>(
  dependencies: Dependencies,
  channel: Channel,
  ownerOf: (request: R) => string,
) => {
  const log = createDeliveryLog(dependencies, channel)
  return {
    list: (request: R & Readonly<{ query: DeliveryFilter }>) =>
      log.list(ownerOf(request), request.params.webhookId, request.query),

    redeliver: async (request: R & Readonly<{ params: Readonly<{ deliveryId: string }>; now: Date }>) => {
      const { params, now } = request
      const sent = await log.redeliver(ownerOf(request), params.webhookId, params.deliveryId, now)
      return sent.ok ? reply({ delivery: presentDelivery(sent.value) }) : sent
    },
  }
}

/** The log of partners' destinations and of merchants' webhooks, for staff and for the merchants themselves. */
export const deliveryOperations = (dependencies: Dependencies): Implementation[] => {
  const partner = handlersFor(dependencies, 'partner', ({ params }: OfPartner) => params.partnerId)
  const merchant = handlersFor(dependencies, 'merchant', ({ params }: OfMerchant) => params.customerId)
  const own = handlersFor(dependencies, 'merchant', ({ caller }: Own) => caller.merchantId)
  return implement(deliveries, {
    listDead: (request) => listDead(dependencies, request),
    list: partner.list,
    redeliver: partner.redeliver,
    listOfMerchant: merchant.list,
    redeliverOfMerchant: merchant.redeliver,
    listOwn: own.list,
    redeliverOwn: own.redeliver,
  })
}
