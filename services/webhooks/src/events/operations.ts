import { implement, refuse, reply, type Implementation } from '@causeway/chassis'
import { events, MAX_EVENT_OWNERS } from '@causeway/contracts'
import type { Dependencies } from '../dependencies.ts'
import type { Channel } from '../destinations/domain.ts'
import { createEventLog, type EventFilter } from './log.ts'
import { listOwners } from './store.ts'

type Params<N extends string> = Readonly<{ params: Readonly<Record<N, string>> }>
type Own = Readonly<{ caller: Readonly<{ merchantId: string }> }>
type OwnOfPartner = Readonly<{ caller: Readonly<{ partnerId: string }> }>

/** The handlers of one audience. @param ownerOf whose events they are, by the request */
const handlersFor = <R>(dependencies: Dependencies, channel: Channel, ownerOf: (request: R) => string) => {
  const log = createEventLog(dependencies, channel)
  return {
    list: (request: R & Readonly<{ query: EventFilter }>) => log.list(ownerOf(request), request.query),
    get: (request: R & Params<'eventId'>) => log.get(ownerOf(request), request.params.eventId),
    listOfDestination: (request: R & Params<'webhookId'> & Readonly<{ query: EventFilter }>) =>
      log.listOfDestination(ownerOf(request), request.params.webhookId, request.query),
    resend: (request: R & Params<'webhookId' | 'eventId'>) =>
      log.resend(ownerOf(request), request.params.webhookId, request.params.eventId),
  }
}

/** The events of partners and merchants, apart from their deliveries, for staff and for the owners themselves. */
export const eventOperations = (dependencies: Dependencies): Implementation[] => {
  const partner = handlersFor(dependencies, 'partner', ({ params }: Params<'partnerId'>) => params.partnerId)
  const merchant = handlersFor(
    dependencies,
    'merchant',
    ({ params }: Params<'customerId'>) => params.customerId,
  )
  const own = handlersFor(dependencies, 'merchant', ({ caller }: Own) => caller.merchantId)
  const endpoint = handlersFor(dependencies, 'partner', ({ caller }: OwnOfPartner) => caller.partnerId)
  return implement(events, {
    async listOwners({ params: { eventId } }) {
      const owners = await listOwners(dependencies.db, { eventId, limit: MAX_EVENT_OWNERS })
      if (owners.length === 0) return refuse('resource_not_found')
      return reply({
        owners: owners.map(({ ownerId, channel }) => ({
          partner_id: channel === 'partner' ? ownerId : null,
          customer_id: channel === 'merchant' ? ownerId : null,
        })),
      })
    },
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
    listOfCallingPartner: endpoint.list,
    getOfCallingPartner: endpoint.get,
    listOfEndpoint: endpoint.listOfDestination,
    resendToEndpoint: endpoint.resend,
  })
}
