import { keysetList, refuse, reply, type OperationRequest } from '@causeway/chassis'
import type { DeadDelivery, deliveries } from '@causeway/contracts'
import type { Dependencies } from '../dependencies.ts'
import { TEST_EVENT } from '../destinations/domain.ts'
import { listDeadOfAll, type DeadRow } from './dead-store.ts'
import { BY_ID_DESCENDING } from './log.ts'

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
export const listDead = async (
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
