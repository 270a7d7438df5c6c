import { startLoop, type Loop } from './loop.ts'
import { metrics } from './metrics.ts'
import { countParked } from './parked-events-store.ts'
import { readBacklog } from './outbox/store.ts'
import type { ServiceContext } from './service-context.ts'

const EVERY_MS = 10_000
const REST_MS = 1_000
/** While somebody holds a snapshot, each look reads every row that was worked off meanwhile. */
const MAX_SHARE = 0.01
/** The count of a large backlog costs no more than this many rows. */
const BOUND = 100_000

const waiting = metrics.gauge(
  'causeway_outbox_unpublished_events',
  `Events in the outbox that the stream has not acknowledged; counted up to ${BOUND}`,
)
const oldest = metrics.gauge(
  'causeway_outbox_oldest_unpublished_age_seconds',
  'Age of the oldest event that the stream has not acknowledged; 0 without one',
)
const parked = metrics.gauge(
  'causeway_parked_events',
  `Events that failed ten times and wait for a decision by staff; counted up to ${BOUND}`,
)

/** Keeps the gauges of what the service's database holds back. Every replica exports the same figures. */
export const startBacklogGauges = ({ db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>): Loop =>
  startLoop({
    name: 'backlog-gauges',
    everyMs: EVERY_MS,
    maxShare: MAX_SHARE,
    restMs: REST_MS,
    log,
    async run() {
      const backlog = await readBacklog(db.pooled, { bound: BOUND })
      const oldestAt = backlog?.oldestAt ?? null
      waiting.set(backlog?.waiting ?? 0)
      oldest.set(oldestAt === null ? 0 : Math.max(0, clock.nowMs() - oldestAt.getTime()) / 1_000)
      parked.set((await countParked(db.pooled, { bound: BOUND }))?.parked ?? 0)
    },
  })
