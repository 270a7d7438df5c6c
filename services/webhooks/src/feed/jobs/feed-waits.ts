import { startLoop, type ServiceContext } from '@causeway/chassis'
import { FEED_GREW_SUBJECT, FEED_WAITS_END_SUBJECT } from '@causeway/contracts'
import { feedOwnersOf, type Recorder } from '../../engine/record/record-store.ts'
import { findGrownFeeds, type FeedPosition } from '../store.ts'

/** How soon an event is found whose nudge was lost. */
const EVERY_MS = 1_000
/** Shortest time between two checks, however often other replicas nudge. */
const REST_MS = 50
/** Concurrent waits of a partner at this replica; another one ends the oldest, whose client may be gone. */
const MAX_PER_OWNER = 8
/** Concurrent waits of all partners at this replica: an eighth of the requests that it may serve. */
const MAX_WAITS = 128

type Wait = Readonly<{ ownerId: string; after: FeedPosition; settle: (hasGrown: boolean) => void }>

/** Requests of this replica that wait for their feed to grow. They hold no connection of the database. */
export type FeedWaits = Readonly<{
  /** Resolves with whether the feed has grown; false when the time is over, or the wait ends early. */
  wait: (ownerId: string, after: FeedPosition, ms: number) => Promise<boolean>
  /** Wraps a recorder, so that what it records ends waits here and on other replicas. */
  waking: (record: Recorder) => Recorder
  stop: () => Promise<void>
}>

/** Returns the waits that must end so that another one of an owner may begin. */
const surplusOf = (waits: readonly Wait[], ownerId: string): readonly Wait[] => {
  const own = waits.filter((wait) => wait.ownerId === ownerId)
  if (own.length >= MAX_PER_OWNER) return own.slice(0, own.length - MAX_PER_OWNER + 1)
  return waits.slice(0, Math.max(0, waits.length - MAX_WAITS + 1))
}

/**
 * Keeps the waits of this replica. A wait ends when this replica records an event, when another one does (a nudge, and a
 * poll in case that is lost), when a newer wait takes its place, and when this process or a gateway stops.
 */
export const startFeedWaits = ({ db, bus, log }: Pick<ServiceContext, 'db' | 'bus' | 'log'>): FeedWaits => {
  const waits = new Set<Wait>()
  let isEnding = false

  const endAll = () => {
    for (const wait of waits) wait.settle(false)
  }
  const loop = startLoop({
    name: 'feed-waits',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log,
    async run() {
      const checked = [...waits]
      if (checked.length === 0) return
      const grown = await findGrownFeeds(db.pooled, {
        ownerIds: checked.map(({ ownerId }) => ownerId),
        positions: checked.map(({ after }) => after.position),
        eventIds: checked.map(({ after }) => after.eventId),
      })
      for (const { n } of grown) checked[n - 1]?.settle(true)
    },
  })
  const nudges = [
    bus.onNudge(FEED_GREW_SUBJECT, () => {
      if (waits.size > 0) loop.wake()
    }),
    bus.onNudge(FEED_WAITS_END_SUBJECT, endAll),
  ]
  bus.onDraining(() => {
    isEnding = true
    endAll()
    return Promise.resolve()
  })

  return {
    wait(ownerId, after, ms) {
      if (isEnding) return Promise.resolve(false)
      for (const wait of surplusOf([...waits], ownerId)) wait.settle(false)
      return new Promise((resolve) => {
        const wait: Wait = {
          ownerId,
          after,
          settle(hasGrown) {
            clearTimeout(timer)
            waits.delete(wait)
            resolve(hasGrown)
          },
        }
        const timer = setTimeout(wait.settle, ms, false)
        waits.add(wait)
        // Finds an event that was recorded after the request had looked.
        loop.wake()
      })
    },
    waking: (record) => async (recordDb, records) => {
      await record(recordDb, records)
      const owners = feedOwnersOf(records)
      if (owners.length === 0) return
      for (const wait of waits) if (owners.includes(wait.ownerId)) wait.settle(true)
      bus.nudge(FEED_GREW_SUBJECT)
    },
    async stop() {
      for (const nudge of nudges) nudge.unsubscribe()
      endAll()
      await loop.stop()
    },
  }
}
