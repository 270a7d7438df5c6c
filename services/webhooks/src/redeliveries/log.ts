import { newIdAt, refuse, reply, type Outcome } from '@causeway/chassis'
import { REDELIVERY_PACE, type Redelivery, type RedeliveryRequest } from '@causeway/contracts'
import { createDeliveryLog } from '../deliveries/log.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Channel } from '../destinations/domain.ts'
import {
  cancelRedelivery,
  findRedelivery,
  insertRedelivery,
  listRedeliveries,
  type RedeliveryRow,
} from './store.ts'

/** The latest of a destination that are shown; they are purged with the events that they sent. */
const MAX_SHOWN = 100

const present = (row: RedeliveryRow): Redelivery => ({
  redelivery_id: row.id,
  webhook_id: row.destinationId,
  status: row.status,
  event_status: row.eventStatus,
  since: row.since.toISOString(),
  until: row.until.toISOString(),
  per_second: row.perSecond,
  sent: row.sent,
  reached: row.reachedAt.toISOString(),
  created_at: row.createdAt.toISOString(),
  finished_at: row.finishedAt?.toISOString() ?? null,
})

type Shown = Readonly<{ redelivery: Redelivery }>
const found = (row: RedeliveryRow | null): Outcome<Shown, 'resource_not_found'> =>
  row ? reply({ redelivery: present(row) }) : refuse('resource_not_found')

/** Sending the events of one channel's destinations again in bulk, at a pace. */
export const createRedeliveryLog = (dependencies: Dependencies, channel: Channel) => {
  const { db, redeliveryJob, eventRetentionMs } = dependencies
  const { isOwn } = createDeliveryLog(dependencies, channel)

  return {
    async create(
      ownerId: string,
      webhookId: string,
      { since, until, status, per_second: perSecond }: RedeliveryRequest,
      now: Date,
    ): Promise<Outcome<Shown, 'resource_not_found' | 'invalid_state'>> {
      if (!(await isOwn(ownerId, webhookId))) return refuse('resource_not_found')
      const nowMs = now.getTime()
      const fromMs = Math.max(Date.parse(since), nowMs - eventRetentionMs)
      const untilMs = Math.min(until === undefined ? nowMs : Date.parse(until), nowMs)
      const row = await insertRedelivery(db, {
        ownerId,
        webhookId,
        id: newIdAt('redelivery', nowMs),
        eventStatus: status ?? null,
        since: new Date(fromMs),
        until: new Date(Math.max(fromMs, untilMs)),
        perSecond: perSecond ?? REDELIVERY_PACE.standard,
        now,
      })
      if (!row) return refuse('invalid_state', [{ reason: 'already_running' }])
      redeliveryJob.wake()
      return reply({ redelivery: present(row) })
    },

    async list(
      ownerId: string,
      webhookId: string,
    ): Promise<Outcome<{ redeliveries: Redelivery[] }, 'resource_not_found'>> {
      if (!(await isOwn(ownerId, webhookId))) return refuse('resource_not_found')
      const rows = await listRedeliveries(db, { ownerId, webhookId, limit: MAX_SHOWN })
      return reply({ redeliveries: rows.map(present) })
    },

    get: async (ownerId: string, webhookId: string, id: string) =>
      found(await findRedelivery(db, { ownerId, webhookId, id })),

    cancel: async (ownerId: string, webhookId: string, id: string, now: Date) =>
      found(await cancelRedelivery(db, { ownerId, webhookId, id, now })),
  }
}
