import { metrics, type ServiceContext } from '@causeway/chassis'
import { countWaiting } from './waiting-gauge-store.ts'

const EVERY_MS = 5_000
const MOST = 100_000

const waiting = metrics.gauge(
  'causeway_webhook_deliveries_waiting',
  `Deliveries that wait for an attempt, on all replicas together; counted up to ${MOST}`,
)

/** Keeps the gauge of the backlog. */
export const startWaitingGauge = ({
  db,
  log,
}: Pick<ServiceContext, 'db' | 'log'>): { stop: () => Promise<void> } => {
  const count = async () => {
    try {
      const [row] = await db.apart.query(countWaiting, [MOST])
      waiting.set(row?.waiting ?? 0)
    } catch (error) {
      log.warn({ error }, 'The waiting deliveries could not be counted; the next round tries again')
    }
  }
  let counting = count()
  const timer = setInterval(() => {
    counting = counting.then(count)
  }, EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      return counting
    },
  }
}
