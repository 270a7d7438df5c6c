import { keysetList, newIdAt, refuse, reply, type Outcome } from '@causeway/chassis'
import type { Delivery, EventStatus, LoggedEvent } from '@causeway/contracts'
import { createDeliveryLog, type LogFilter } from '../deliveries/log.ts'
import { presentDelivery } from '../deliveries/page.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Channel } from '../destinations/domain.ts'
import { bodyOf } from '../engine/sealed-body.ts'
import { eventIdsBetween, NEWEST_FIRST } from '../event-order.ts'
import {
  findEvent,
  findResendPermission,
  findScanPosition,
  listEvents,
  listEventsOfDestination,
  makeEventDue,
  type LoggedEventRow,
} from './store.ts'

export type EventFilter = LogFilter<EventStatus>
type EventPage = Readonly<{ events: LoggedEvent[]; next_cursor: string | null }>
type ShownEvent = Readonly<{ event: LoggedEvent & Readonly<{ payload: Record<string, unknown> }> }>

const present = (row: LoggedEventRow): LoggedEvent => ({
  event_id: row.eventId,
  event_type: row.type,
  integration_id: row.integrationId,
  created_at: row.createdAt.toISOString(),
  deliveries: (row.deliveries ?? []).map((delivery) => ({
    webhook_id: delivery.destinationId,
    delivery_id: delivery.id,
    status: delivery.state,
    next_attempt_at: delivery.nextAttemptAt,
  })),
})

const positionOf = ({ eventId }: Readonly<{ eventId: string }>) => ({ id: eventId })

/** Later than every event. */
const NEVER_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** The events of one channel's owners, apart from their deliveries, and sending one again. */
export const createEventLog = (dependencies: Dependencies, channel: Channel) => {
  const { db, engine, cursors, clock, vault, eventRetentionMs } = dependencies
  const deliveries = createDeliveryLog(dependencies, channel)
  const oldestShown = () => new Date(clock.nowMs() - eventRetentionMs)

  /** @param webhookId null for the events of the owner */
  const page = async (
    ownerId: string,
    webhookId: string | null,
    { limit, cursor, since, until, status, event_type: eventType }: EventFilter,
  ): Promise<Outcome<EventPage, 'invalid_cursor'>> => {
    const name = `events:${ownerId}:${webhookId ?? ''}`
    const list = keysetList(cursors, { name, order: NEWEST_FIRST })
    const before = list.after(cursor)
    if (!before) return refuse('invalid_cursor')
    const sinceMs = Math.max(oldestShown().getTime(), since === undefined ? 0 : Date.parse(since))
    const untilMs = until === undefined ? NEVER_MS : Date.parse(until)
    const ids = eventIdsBetween(sinceMs, untilMs)
    const beforeId = before.id < ids.beforeId ? before.id : ids.beforeId
    const span = { ownerId, fromId: ids.fromId, beforeId, since: new Date(sinceMs), until: new Date(untilMs) }
    const filter = { ...span, eventType: eventType ?? null, status: status ?? null, limit }
    const rows =
      webhookId === null
        ? await listEvents(db.pooled, filter)
        : await listEventsOfDestination(db.pooled, { ...filter, webhookId })
    const cut = list.page({ rows, limit, present, positionOf, continuesWhenFull: true })
    const scanned = cut.last ? null : await findScanPosition(db.pooled, span)
    const nextCursor = scanned ? list.cursorAfter(positionOf(scanned)) : cut.nextCursor
    return reply({ events: cut.items, next_cursor: nextCursor })
  }

  return {
    list: (ownerId: string, filter: EventFilter) => page(ownerId, null, filter),

    async listOfDestination(
      ownerId: string,
      webhookId: string,
      filter: EventFilter,
    ): Promise<Outcome<EventPage, 'resource_not_found' | 'invalid_cursor'>> {
      if (!(await deliveries.isOwn(ownerId, webhookId))) return refuse('resource_not_found')
      return page(ownerId, webhookId, filter)
    },

    async get(ownerId: string, eventId: string): Promise<Outcome<ShownEvent, 'resource_not_found'>> {
      const row = await findEvent(db, { ownerId, eventId, oldest: oldestShown() })
      if (!row) return refuse('resource_not_found')
      const payload = JSON.parse(bodyOf(vault, row)) as Record<string, unknown>
      return reply({ event: { ...present(row), payload } })
    },

    async resend(
      ownerId: string,
      webhookId: string,
      eventId: string,
    ): Promise<Outcome<{ delivery: Delivery }, 'resource_not_found' | 'invalid_state'>> {
      if (!(await deliveries.isOwn(ownerId, webhookId))) return refuse('resource_not_found')
      const event = { ownerId, webhookId, eventId }
      const permission = await findResendPermission(db, { ...event, oldest: oldestShown() })
      if (!permission) return refuse('resource_not_found')
      if (!permission.allowed) return refuse('invalid_state', [{ reason: 'not_subscribed' }])
      const now = clock.now()
      const sent = await makeEventDue(db, { ...event, newId: newIdAt('delivery', now.getTime()), now })
      const delivery = sent && (await deliveries.find(ownerId, webhookId, sent.id))
      if (!delivery) return refuse('resource_not_found')
      engine.due(webhookId)
      return reply({ delivery: presentDelivery(delivery) })
    },
  }
}
