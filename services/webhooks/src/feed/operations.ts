import {
  implement,
  pageOf,
  refuse,
  reply,
  type Implementation,
  type OperationRequest,
} from '@causeway/chassis'
import { feed, feedTypesOf, type EventFeedPage, type PartnerEvent } from '@causeway/contracts'
import type { Dependencies } from '../dependencies.ts'
import { bodyOf } from '../engine/sealed-body.ts'
import { eventIdsBetween } from '../event-order.ts'
import {
  FEED_START,
  findFeedEnd,
  findFeedEvent,
  findFeedPosition,
  findFeedPositionAt,
  findFeedScanPosition,
  isAfter,
  listFeed,
  type FeedPosition,
  type FeedRow,
} from './store.ts'

/** Part of the caller's deadline that is reserved for the reply of a request that waited. */
const REPLY_MS = 2_000

type ListRequest = OperationRequest<typeof feed.list>
type Filter = Readonly<{ ownerId: string; types: readonly string[]; oldest: Date; limit: number }>

/** A page with the position up to which it is complete. */
type Page = Readonly<{ items: readonly PartnerEvent[]; end: FeedPosition; isLast: boolean }>

const presentPage = ({ items, end, isLast }: Page): EventFeedPage => ({
  events: [...items],
  next_cursor: isLast || end.eventId === '' ? null : end.eventId,
  resume_after: end.eventId === '' ? null : end.eventId,
})

/** The events of a partner in one order, whether or not a destination received them. */
export const feedOperations = (dependencies: Dependencies): Implementation[] => {
  const { db, clock, vault, eventRetentionMs, feedWaits } = dependencies
  const oldestShown = () => new Date(clock.nowMs() - eventRetentionMs)
  const present = (row: FeedRow) => JSON.parse(bodyOf(vault, row)) as PartnerEvent

  /** Returns the position after which a request begins; null for an event that the feed does not have. */
  async function findStart(ownerId: string, { after, since }: ListRequest['query']) {
    if (after !== undefined) return findFeedPosition(db, { ownerId, eventId: after })
    if (since === undefined) return FEED_START
    const { fromId } = eventIdsBetween(Date.parse(since), 0)
    return (await findFeedPositionAt(db.pooled, { ownerId, fromId })) ?? FEED_START
  }

  async function readPage(after: FeedPosition, { limit, ...filter }: Filter): Promise<Page> {
    // Read first: an event that is committed between the statements must not be skipped.
    const end = await findFeedEnd(db.pooled, { ownerId: filter.ownerId })
    if (end === null || !isAfter(end, after)) return { items: [], end: after, isLast: true }
    const { ownerId, oldest, types } = filter
    const span = { ownerId, ...after, endPosition: end.position, endId: end.eventId, oldest }
    const rows = await listFeed(db.pooled, { ...span, types, limit: limit + 1 })
    const { items, last } = pageOf({ rows, limit, present })
    if (last !== null) return { items, end: last, isLast: false }
    const scanned = await findFeedScanPosition(db.pooled, span)
    return { items, end: scanned ?? end, isLast: scanned === null }
  }

  /** Reads a page, and again whenever the feed grows, until there is an event or the time is over. */
  async function readWhenGrown(start: FeedPosition, filter: Filter, endsAtMs: number): Promise<Page> {
    let page = await readPage(start, filter)
    while (page.items.length === 0 && page.isLast) {
      const leftMs = endsAtMs - performance.now()
      const hasGrown = leftMs > 0 && (await feedWaits.wait(filter.ownerId, page.end, leftMs))
      if (!hasGrown) return page
      page = await readPage(page.end, filter)
    }
    return page
  }

  return implement(feed, {
    async list({ caller, query, deadlineMs }) {
      const receivedMs = performance.now()
      const { limit, types, after, wait = 0 } = query
      const since = after === undefined ? query.since : undefined
      const start = await findStart(caller.partnerId, query)
      if (start === null) return refuse('invalid_cursor', [{ field: 'after', reason: 'invalid_value' }])
      const oldestMs = Math.max(oldestShown().getTime(), since === undefined ? 0 : Date.parse(since))
      const waitMs = Math.min(wait * 1_000, deadlineMs - clock.outsideMs() - REPLY_MS)
      const filter = {
        ownerId: caller.partnerId,
        types: feedTypesOf(types),
        oldest: new Date(oldestMs),
        limit,
      }
      return reply(presentPage(await readWhenGrown(start, filter, receivedMs + waitMs)))
    },

    async get({ caller, params }) {
      const found = { ownerId: caller.partnerId, eventId: params.eventId, oldest: oldestShown() }
      const row = await findFeedEvent(db, found)
      return row === null ? refuse('resource_not_found') : reply({ event: present(row) })
    },
  })
}
