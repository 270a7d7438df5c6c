import { metrics, startLoop, type Loop, type ServiceContext } from '@causeway/chassis'
import { countBacklog, findOldestDue } from '../store.ts'

const EVERY_MS = 5_000
const REST_MS = 1_000
/** While somebody holds a snapshot, each look reads every row that was worked off meanwhile. */
const MAX_SHARE = 0.01
const BOUND = 100_000

const waiting = metrics.gauge(
  'causeway_webhook_deliveries_waiting',
  `Deliveries waiting for an attempt, on all replicas; counted up to ${BOUND}`,
)
const dead = metrics.gauge(
  'causeway_webhook_deliveries_dead',
  `Dead deliveries, until they are sent again; counted up to ${BOUND}`,
)
const oldestDue = metrics.gauge(
  'causeway_webhook_oldest_due_age_seconds',
  'Age of the delivery that has been due longest, except those of disabled destinations; 0 if none is due',
)

/** Keeps the gauges of the deliveries that are not delivered. Every replica exports the same figures. */
export const startDeliveryGauges = ({ db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>): Loop =>
  startLoop({
    name: 'delivery-gauges',
    everyMs: EVERY_MS,
    maxShare: MAX_SHARE,
    restMs: REST_MS,
    log,
    async run() {
      const counted = await countBacklog(db.pooled, { bound: BOUND })
      const now = clock.now()
      const dueAt = (await findOldestDue(db.pooled, { now }))?.dueAt ?? null
      waiting.set(counted?.waiting ?? 0)
      dead.set(counted?.dead ?? 0)
      oldestDue.set(dueAt === null ? 0 : (now.getTime() - dueAt.getTime()) / 1_000)
    },
  })
