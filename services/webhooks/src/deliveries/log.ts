import { firstIdAt, refuse, reply, type Outcome } from '@causeway/chassis'
import type { Delivery } from '@causeway/contracts'
import type { Channel } from '../destinations/destination.ts'
import {
  deadDeliveries,
  findDelivery,
  listDeliveries,
  listWaitingDeliveries,
  redeliver,
  someDeliveries,
  type DeliveryRow,
} from './store.ts'
import { findDestination } from '../destinations/store.ts'
import { pageOfDeliveries } from './page.ts'
import type { Parts } from '../dependencies.ts'

/** A delivery is written down at the latest this long after its id was minted. */
const WRITTEN_WITHIN_MS = 3_600_000

/** What a list asks for; times are ISO 8601. */
export type LogFilter = Readonly<{
  limit: number
  cursor: string | null
  since?: string | undefined
  until?: string | undefined
  eventType?: string | undefined
}>
type Filter = LogFilter & Readonly<{ status?: DeliveryRow['state'] | undefined }>

/** Later than every delivery; the greatest time that a TypeID holds is in the year 10889. */
const NEVER_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** The log of one channel's destinations (decisions §12 and §14). */
export const createDeliveryLog = ({ db, engine, cursors, eventRetentionMs }: Parts, channel: Channel) => {
  const isOwn = async (ownerId: string, webhookId: string): Promise<boolean> =>
    (await db.query(findDestination, [channel, ownerId, webhookId])).length === 1

  /** The rows of a page, and the last one that was looked at, be it shown or not, where there may be more. */
  const read = async (
    span: readonly unknown[],
    { limit, status, eventType }: Filter,
  ): Promise<{ rows: DeliveryRow[]; last: { id: string } | undefined }> => {
    const types = eventType === undefined ? null : [eventType]
    const isWhole = (rows: DeliveryRow[]) => ({ rows, last: rows.length === limit ? rows.at(-1) : undefined })
    if (status === undefined && types === null)
      return isWhole(await db.apart.query(listDeliveries, [...span, limit]))
    if (status === 'waiting')
      return isWhole(await db.apart.query(listWaitingDeliveries, [...span, limit, types]))
    const { list, lastLookedAt } = status === 'dead' ? deadDeliveries : someDeliveries
    const rows = await db.apart.query(list, [...span, limit, status ?? null, types])
    return { rows, last: isWhole(rows).last ?? (await db.apart.query(lastLookedAt, span))[0] }
  }

  return {
    isOwn,

    async list(
      ownerId: string,
      webhookId: string,
      filter: Filter,
    ): Promise<
      Outcome<
        { items: readonly Delivery[]; nextCursor: string | null },
        'resource_not_found' | 'invalid_cursor'
      >
    > {
      if (!(await isOwn(ownerId, webhookId))) return refuse('resource_not_found')
      const name = `deliveries:${ownerId}:${webhookId}`
      const before = filter.cursor === null ? ['~'] : cursors.decode(name, filter.cursor)
      if (!before) return refuse('invalid_cursor')
      const sinceMs = filter.since === undefined ? 0 : Date.parse(filter.since)
      const untilMs = filter.until === undefined ? NEVER_MS : Date.parse(filter.until)
      const [fromId, untilId] = [
        firstIdAt('delivery', sinceMs - WRITTEN_WITHIN_MS),
        firstIdAt('delivery', untilMs),
      ]
      const beforeId = String(before[0]) < untilId ? before[0] : untilId
      const span = [ownerId, webhookId, fromId, beforeId, new Date(sinceMs), new Date(untilMs)]
      const { rows, last } = await read(span, filter)
      const page = pageOfDeliveries(rows)
      const end = page.last ?? last
      return reply({ items: page.items, nextCursor: end ? cursors.encode(name, [end.id]) : null })
    },

    async find(ownerId: string, webhookId: string, deliveryId: string): Promise<DeliveryRow | null> {
      return (await db.query(findDelivery, [ownerId, webhookId, deliveryId]))[0] ?? null
    },

    async redeliver(
      ownerId: string,
      webhookId: string,
      deliveryId: string,
      now: Date,
    ): Promise<Outcome<DeliveryRow, 'resource_not_found'>> {
      if (!(await isOwn(ownerId, webhookId))) return refuse('resource_not_found')
      const oldest = new Date(now.getTime() - eventRetentionMs)
      const [row] = await db.query(redeliver, [ownerId, webhookId, deliveryId, now, oldest])
      if (!row) return refuse('resource_not_found')
      const delivery = await this.find(ownerId, webhookId, deliveryId)
      engine.due(webhookId)
      return delivery ? reply(delivery) : refuse('resource_not_found')
    },
  }
}
