import { firstIdAt, keysetList, refuse, reply, type KeysetOrder, type Outcome } from '@causeway/chassis'
import type { Delivery, DeliveryStatus } from '@causeway/contracts'
import type { Dependencies } from '../dependencies.ts'
import type { Channel } from '../destinations/domain.ts'
import { findDestination } from '../destinations/store.ts'
import { pageOfDeliveries } from './page.ts'
import {
  deadDeliveries,
  filteredDeliveries,
  findDelivery,
  listDeliveries,
  listDeliveriesOfEvent,
  makeDeliveryDue,
  waitingDeliveries,
  type DeliveryRow,
} from './store.ts'

/** A delivery is recorded at the latest this long after its id was made. */
const RECORDED_WITHIN_MS = 3_600_000
/** Later than every delivery; the greatest time that a TypeID holds is in the year 10889. */
const NEVER_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** Newest first; ids are in the order of time. */
export const BY_ID_DESCENDING: KeysetOrder<Readonly<{ id: string }>> = {
  start: { id: '~' },
  write: ({ id }) => [id],
  read: ([id]) => (id === undefined ? null : { id }),
}

/** Filter of a list of a log; times are ISO 8601. */
export type LogFilter<Status> = Readonly<{
  limit: number
  cursor: string | null
  since?: string | undefined
  until?: string | undefined
  status?: Status | undefined
  event_type?: string | undefined
}>
export type DeliveryFilter = LogFilter<DeliveryStatus> & Readonly<{ event_id?: string | undefined }>

type Span = Parameters<typeof deadDeliveries.findScanPosition>[1]
type Found = Readonly<{ rows: DeliveryRow[]; last: Readonly<{ id: string }> | null }>
type DeliveryPage = Readonly<{ deliveries: Delivery[]; next_cursor: string | null }>

/** @param beforeId the position of the page in the list */
const spanOf = (
  ownerId: string,
  webhookId: string,
  { since, until }: DeliveryFilter,
  beforeId: string,
): Span => {
  const sinceMs = since === undefined ? 0 : Date.parse(since)
  const untilMs = until === undefined ? NEVER_MS : Date.parse(until)
  const untilId = firstIdAt('delivery', untilMs)
  return {
    ownerId,
    webhookId,
    fromId: firstIdAt('delivery', sinceMs - RECORDED_WITHIN_MS),
    beforeId: beforeId < untilId ? beforeId : untilId,
    since: new Date(sinceMs),
    until: new Date(untilMs),
  }
}

/** Lists of one state; one of a type alone is read as that of the state that nearly all are in. */
const LISTS = { waiting: waitingDeliveries, dead: deadDeliveries, delivered: filteredDeliveries }

/** The log of one channel's destinations (decisions §12 and §14). */
export const createDeliveryLog = (
  { db, engine, cursors, clock, eventRetentionMs, attemptRetentionMs }: Dependencies,
  channel: Channel,
) => {
  const isOwn = async (ownerId: string, webhookId: string): Promise<boolean> =>
    (await findDestination(db, { channel, ownerId, id: webhookId })) !== null

  const oldestShown = () => new Date(clock.nowMs() - attemptRetentionMs)

  /** The rows of a page, and the last delivery scanned where there may be more, be it shown or not. */
  const read = async (span: Span, filter: DeliveryFilter): Promise<Found> => {
    const { limit, status, event_type: eventType = null, event_id: eventId } = filter
    const page = { ...span, limit, oldestAttempt: oldestShown() }
    const whole = (rows: DeliveryRow[]) => ({ rows, last: (rows.length === limit && rows.at(-1)) || null })
    if (eventId !== undefined) {
      const one = { ...page, state: status ?? null, eventType, eventId }
      return { rows: await listDeliveriesOfEvent(db.pooled, one), last: null }
    }
    if (status === undefined && eventType === null) return whole(await listDeliveries(db.pooled, page))
    const { list, findScanPosition } = LISTS[status ?? 'delivered']
    const rows = await list(db.pooled, { ...page, state: status ?? null, eventType })
    return { rows, last: whole(rows).last ?? (await findScanPosition(db.pooled, span)) }
  }

  const find = (ownerId: string, webhookId: string, id: string) =>
    findDelivery(db, { ownerId, webhookId, id, oldestAttempt: oldestShown() })

  return {
    isOwn,
    find,

    async list(
      ownerId: string,
      webhookId: string,
      filter: DeliveryFilter,
    ): Promise<Outcome<DeliveryPage, 'resource_not_found' | 'invalid_cursor'>> {
      if (!(await isOwn(ownerId, webhookId))) return refuse('resource_not_found')
      const list = keysetList(cursors, {
        name: `deliveries:${ownerId}:${webhookId}`,
        order: BY_ID_DESCENDING,
      })
      const before = list.after(filter.cursor)
      if (!before) return refuse('invalid_cursor')
      const { rows, last } = await read(spanOf(ownerId, webhookId, filter, before.id), filter)
      // Not `list.page`: this page also omits bodies, and its cursor may be of a scanned row that the filter omitted.
      const page = pageOfDeliveries(rows)
      return reply({ deliveries: [...page.items], next_cursor: list.cursorAfter(page.last ?? last) })
    },

    async redeliver(
      ownerId: string,
      webhookId: string,
      id: string,
      now: Date,
    ): Promise<Outcome<DeliveryRow, 'resource_not_found'>> {
      if (!(await isOwn(ownerId, webhookId))) return refuse('resource_not_found')
      const oldestEvent = new Date(now.getTime() - eventRetentionMs)
      const row = await makeDeliveryDue(db, { ownerId, webhookId, id, now, oldestEvent })
      if (!row) return refuse('resource_not_found')
      const delivery = await find(ownerId, webhookId, id)
      engine.due(webhookId)
      return delivery ? reply(delivery) : refuse('resource_not_found')
    },
  }
}
