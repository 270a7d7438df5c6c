import {
  implement,
  reply,
  type Implementation,
  keysetList,
  refuse,
  type OperationRequest,
} from '@causeway/chassis'
import { deliveries, type DeadDelivery } from '@causeway/contracts'
import type { Dependencies } from '../dependencies.ts'
import { type Channel, TEST_EVENT } from '../destinations/domain.ts'
import { createDeliveryLog, type DeliveryFilter, BY_ID_DESCENDING } from './log.ts'
import { presentDelivery } from './page.ts'
import { listDestinationsWithDead } from './failing-store.ts'
import { listDeadOfAll, type DeadRow } from './store.ts'

const present = (row: DeadRow): DeadDelivery => ({
  delivery_id: row.id,
  event_id: row.eventId,
  event_type: row.eventType,
  created_at: row.createdAt.toISOString(),
  webhook_id: row.webhookId,
  partner_id: row.channel === 'partner' ? row.ownerId : null,
  customer_id: row.channel === 'merchant' ? row.ownerId : null,
  url: row.url,
})

/** Deliveries of all partners and merchants that were given up, for staff (decisions §45). */
const listDead = async (
  { db, cursors }: Pick<Dependencies, 'db' | 'cursors'>,
  { query: { limit, cursor } }: Pick<OperationRequest<typeof deliveries.listDead>, 'query'>,
) => {
  const list = keysetList(cursors, { name: 'deliveries:dead', order: BY_ID_DESCENDING })
  const before = list.after(cursor)
  if (!before) return refuse('invalid_cursor')
  const { items, nextCursor } = list.page({
    rows: await listDeadOfAll(db, { beforeId: before.id, limit }),
    limit,
    present,
    positionOf: ({ id }) => ({ id }),
    continuesWhenFull: true,
  })
  // The caller of a test call saw its response. A page without failed test calls is shorter, and the list continues.
  const deliveries = items.filter(({ event_type: type }) => type !== TEST_EVENT)
  return reply({ deliveries, next_cursor: nextCursor })
}

/** Destinations that keep failing, for the notices of access (decisions §58). */
const listFailing = async (
  { db }: Pick<Dependencies, 'db'>,
  { since, after_id: afterId, limit }: OperationRequest<typeof deliveries.listFailing>['body'],
) => {
  const rows = await listDestinationsWithDead(db, { since: new Date(since), afterId, limit })
  const webhooks = rows.flatMap(({ webhookId, channel, ownerId, isFailing }) =>
    isFailing
      ? [
          {
            webhook_id: webhookId,
            partner_id: channel === 'partner' ? ownerId : null,
            customer_id: channel === 'merchant' ? ownerId : null,
          },
        ]
      : [],
  )
  return reply({ webhooks, next_id: rows.length === limit ? (rows.at(-1)?.webhookId ?? null) : null })
}

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

/** The log of partners' destinations and of merchants' webhooks, for staff and for the owners themselves. */
export const deliveryOperations = (dependencies: Dependencies): Implementation[] => {
  const partner = handlersFor(dependencies, 'partner', ({ params }: OfPartner) => params.partnerId)
  const merchant = handlersFor(dependencies, 'merchant', ({ params }: OfMerchant) => params.customerId)
  const own = handlersFor(dependencies, 'merchant', ({ caller }: Own) => caller.merchantId)
  const endpoint = handlersFor(dependencies, 'partner', ({ caller }: OwnOfPartner) => caller.partnerId)
  return implement(deliveries, {
    listDead: (request) => listDead(dependencies, request),
    listFailing: ({ body }) => listFailing(dependencies, body),
    list: partner.list,
    redeliver: partner.redeliver,
    listOfMerchant: merchant.list,
    redeliverOfMerchant: merchant.redeliver,
    listOwn: own.list,
    redeliverOwn: own.redeliver,
    listOfEndpoint: endpoint.list,
    redeliverOfEndpoint: endpoint.redeliver,
  })
}
