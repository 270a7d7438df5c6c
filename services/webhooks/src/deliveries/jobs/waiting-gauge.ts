import { metrics, startLoop, type Loop, type ServiceContext } from '@causeway/chassis'
import { countWaiting } from '../store.ts'

const EVERY_MS = 5_000
const REST_MS = 1_000
const BOUND = 100_000

const waiting = metrics.gauge(
  'causeway_webhook_deliveries_waiting',
  `Deliveries that wait for an attempt, on all replicas together; counted up to ${BOUND}`,
)

/** Keeps the gauge of the backlog. */
export const startWaitingGauge = ({ db, log }: Pick<ServiceContext, 'db' | 'log'>): Loop =>
  startLoop({
    name: 'waiting-gauge',
    everyMs: EVERY_MS,
    restMs: REST_MS,
    log,
    async run() {
      const counted = await countWaiting(db.pooled, { bound: BOUND })
      waiting.set(counted?.waiting ?? 0)
    },
  })
