import { newIdAt, pageOf, refuse, reply, type Outcome } from '@causeway/chassis'
import type { EventStatus, LoggedEvent } from '@causeway/contracts'
import type { Channel } from '../destinations/destination.ts'
import { bodyOf } from '../engine/sealed-body.ts'
import { findEvent, lastEventLookedAt, listEvents, listEventsOf, type LoggedEventRow } from './store.ts'
import { judgeResend, resendEvent } from './resend-store.ts'
import type { DeliveryRow } from '../deliveries/store.ts'
import { createDeliveryLog, type LogFilter } from '../deliveries/log.ts'
import { presentEvent } from './presentation.ts'
import type { Parts } from '../dependencies.ts'

type Filter = LogFilter & Readonly<{ status?: EventStatus | undefined }>
type Page = Readonly<{ items: readonly LoggedEvent[]; nextCursor: string | null }>

const LATEST = '9999-12-31T23:59:59.999Z'

/** The events of one channel's owners, apart from their deliveries, and sending one again. */
export const createEventLog = (parts: Parts, channel: Channel) => {
  const { db, engine, cursors, clock, vault, eventRetentionMs } = parts
  const deliveries = createDeliveryLog(parts, channel)
  const oldestKept = () => new Date(clock.nowMs() - eventRetentionMs)

  /** @param webhookId null for the events of the owner */
  const page = async (
    ownerId: string,
    webhookId: string | null,
    { limit, cursor, since, until, status, eventType }: Filter,
  ): Promise<Outcome<Page, 'invalid_cursor'>> => {
    const name = `events:${ownerId}:${webhookId ?? ''}`
    const before = cursor === null ? [until ?? LATEST, ''] : cursors.decode(name, cursor)
    if (!before) return refuse('invalid_cursor')
    const from = new Date(Math.max(oldestKept().getTime(), since === undefined ? 0 : Date.parse(since)))
    const span = [ownerId, from, before[0], before[1]]
    const values = [...span, eventType === undefined ? null : [eventType], status ?? null, limit]
    const rows =
      webhookId === null
        ? await db.apart.query(listEvents, values)
        : await db.apart.query(listEventsOf, [...values, webhookId])
    const cut = pageOf({ rows, limit, present: presentEvent })
    const last =
      cut.last ?? (rows.length === limit ? rows.at(-1) : (await db.apart.query(lastEventLookedAt, span))[0])
    const position = last && [last.created_at.toISOString(), last.event_id]
    return reply({ items: cut.items, nextCursor: position ? cursors.encode(name, position) : null })
  }

  return {
    list: (ownerId: string, filter: Filter) => page(ownerId, null, filter),

    async listOfDestination(
      ownerId: string,
      webhookId: string,
      filter: Filter,
    ): Promise<Outcome<Page, 'resource_not_found' | 'invalid_cursor'>> {
      if (!(await deliveries.isOwn(ownerId, webhookId))) return refuse('resource_not_found')
      return page(ownerId, webhookId, filter)
    },

    async get(
      ownerId: string,
      eventId: string,
    ): Promise<Outcome<{ row: LoggedEventRow; payload: Record<string, unknown> }, 'resource_not_found'>> {
      const [row] = await db.query(findEvent, [ownerId, eventId, oldestKept()])
      if (!row) return refuse('resource_not_found')
      return reply({ row, payload: JSON.parse(bodyOf(vault, row)) as Record<string, unknown> })
    },

    async resend(
      ownerId: string,
      webhookId: string,
      eventId: string,
    ): Promise<Outcome<DeliveryRow, 'resource_not_found' | 'invalid_state'>> {
      if (!(await deliveries.isOwn(ownerId, webhookId))) return refuse('resource_not_found')
      const [judged] = await db.query(judgeResend, [ownerId, webhookId, eventId, oldestKept()])
      if (!judged) return refuse('resource_not_found')
      if (!judged.allowed) return refuse('invalid_state', [{ reason: 'not_subscribed' }])
      const now = clock.now()
      const values = [ownerId, webhookId, eventId, newIdAt('delivery', now.getTime()), now]
      const [sent] = await db.query(resendEvent, values)
      const delivery = sent && (await deliveries.find(ownerId, webhookId, sent.id))
      if (!delivery) return refuse('resource_not_found')
      engine.due(webhookId)
      return reply(delivery)
    },
  }
}
