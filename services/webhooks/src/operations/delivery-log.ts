import { refuse, reply, type Outcome } from '@causeway/chassis'
import type { Channel } from '../domain/destination.ts'
import {
  findDelivery,
  listDeliveries,
  redeliver,
  redeliverSince,
  type DeliveryRow,
} from '../store/deliveries.ts'
import { findDestination } from '../store/destinations.ts'
import type { Parts } from './parts.ts'

/** Sorts behind every id: where a list that begins with the newest starts. */
const NEWEST = '~'
/** So few at a time, that a bulk redelivery takes nothing from the deliveries of others. */
const BULK = 1_000

type Period = Readonly<{ since?: string | undefined; until?: string | undefined }>
type Filter = Period &
  Readonly<{ limit: number; cursor: string | null; status?: DeliveryRow['state'] | undefined }>
type Bulk = Period &
  Readonly<{ since: string; status?: 'delivered' | 'dead' | undefined; cursor?: string | null | undefined }>

type Missing = 'resource_not_found' | 'invalid_cursor'

/** The log of one channel's destinations, and sending again from it (decisions §12 and §14). */
export const createDeliveryLog = ({ db, engine, cursors }: Parts, channel: Channel) => {
  const isOwn = async (ownerId: string, webhookId: string): Promise<boolean> =>
    (await db.query(findDestination, [channel, ownerId, webhookId])).length === 1

  return {
    async list(
      ownerId: string,
      webhookId: string,
      { limit, cursor, status, since, until }: Filter,
    ): Promise<Outcome<{ rows: DeliveryRow[]; nextCursor: string | null }, Missing>> {
      if (!(await isOwn(ownerId, webhookId))) return refuse('resource_not_found')
      const name = `deliveries:${ownerId}:${webhookId}`
      const before = cursor === null ? [NEWEST] : cursors.decode(name, cursor)
      if (!before) return refuse('invalid_cursor')
      const values = [ownerId, webhookId, before[0], limit, status ?? null, since ?? null, until ?? null]
      const rows = await db.query(listDeliveries, values)
      const last = rows.length === limit ? rows.at(-1) : undefined
      return reply({ rows, nextCursor: last ? cursors.encode(name, [last.id]) : null })
    },

    async redeliver(
      ownerId: string,
      webhookId: string,
      deliveryId: string,
      now: Date,
    ): Promise<Outcome<DeliveryRow, Missing>> {
      if (!(await isOwn(ownerId, webhookId))) return refuse('resource_not_found')
      const [row] = await db.query(redeliver, [ownerId, webhookId, deliveryId, now])
      if (!row) return refuse('resource_not_found')
      const [delivery] = await db.query(findDelivery, [ownerId, webhookId, deliveryId])
      engine.due(webhookId)
      return delivery ? reply(delivery) : refuse('resource_not_found')
    },

    async redeliverSince(
      ownerId: string,
      webhookId: string,
      { since, until, status, cursor }: Bulk,
      now: Date,
    ): Promise<Outcome<{ redelivered: number; nextCursor: string | null }, Missing>> {
      if (!(await isOwn(ownerId, webhookId))) return refuse('resource_not_found')
      const name = `redeliveries:${ownerId}:${webhookId}`
      const after = typeof cursor === 'string' ? cursors.decode(name, cursor) : ['']
      if (!after) return refuse('invalid_cursor')
      const states = status === undefined ? ['delivered', 'dead'] : [status]
      const values = [ownerId, webhookId, after[0], BULK, states, since, until ?? null, now]
      const [moved] = await db.query(redeliverSince, values)
      const { redelivered, last } = moved ?? { redelivered: 0, last: null }
      if (redelivered > 0) engine.due(webhookId)
      const nextCursor = redelivered === BULK && last !== null ? cursors.encode(name, [last]) : null
      return reply({ redelivered, nextCursor })
    },
  }
}
