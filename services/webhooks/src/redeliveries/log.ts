import { newIdAt, refuse, reply, type Outcome } from '@causeway/chassis'
import { REDELIVERY_PACE } from '@causeway/contracts'
import type { Channel } from '../destinations/destination.ts'
import {
  cancelRedelivery,
  findRedelivery,
  insertRedelivery,
  listRedeliveries,
  type RedeliveryRow,
} from './store.ts'
import { createDeliveryLog } from '../deliveries/log.ts'
import type { Parts } from '../dependencies.ts'

type Wanted = Readonly<{
  since: string
  until?: string | undefined
  status?: 'delivered' | 'dead' | 'missed' | undefined
  perSecond?: number | undefined
}>

/** So many of the latest are shown; they leave with the events that they sent. */
const SHOWN = 100

/** Sending the events of one channel's destinations again in bulk, at a pace. */
export const createRedeliveryLog = (parts: Parts, channel: Channel) => {
  const { db, redeliverer, eventRetentionMs } = parts
  const { isOwn } = createDeliveryLog(parts, channel)
  const found = ([row]: readonly RedeliveryRow[]): Outcome<RedeliveryRow, 'resource_not_found'> =>
    row ? reply(row) : refuse('resource_not_found')

  return {
    async create(
      ownerId: string,
      webhookId: string,
      { since, until, status, perSecond }: Wanted,
      now: Date,
    ): Promise<Outcome<RedeliveryRow, 'resource_not_found' | 'invalid_state'>> {
      if (!(await isOwn(ownerId, webhookId))) return refuse('resource_not_found')
      const nowMs = now.getTime()
      const fromMs = Math.max(Date.parse(since), nowMs - eventRetentionMs)
      const untilMs = Math.min(until === undefined ? nowMs : Date.parse(until), nowMs)
      const [row] = await db.query(insertRedelivery, [
        newIdAt('redelivery', nowMs),
        ownerId,
        webhookId,
        status ?? null,
        new Date(fromMs),
        new Date(Math.max(fromMs, untilMs)),
        perSecond ?? REDELIVERY_PACE.standard,
        now,
      ])
      if (!row) return refuse('invalid_state', [{ reason: 'already_running' }])
      redeliverer.wake()
      return reply(row)
    },

    async list(ownerId: string, webhookId: string): Promise<Outcome<RedeliveryRow[], 'resource_not_found'>> {
      if (!(await isOwn(ownerId, webhookId))) return refuse('resource_not_found')
      return reply(await db.query(listRedeliveries, [ownerId, webhookId, SHOWN]))
    },

    get: async (ownerId: string, webhookId: string, id: string) =>
      found(await db.query(findRedelivery, [ownerId, webhookId, id])),

    cancel: async (ownerId: string, webhookId: string, id: string, now: Date) =>
      found(await db.query(cancelRedelivery, [ownerId, webhookId, id, now])),
  }
}
