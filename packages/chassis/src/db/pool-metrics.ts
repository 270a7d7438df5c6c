import type pg from 'pg'
import { metrics } from '../metrics.ts'

const pools = new Set<pg.Pool>()
const sumOf = (count: (pool: pg.Pool) => number): number =>
  [...pools].reduce((sum, pool) => sum + count(pool), 0)

metrics.gauge(
  'db_client_connection_count',
  'Connections of the pool for transactions, by state: idle or used',
  ['state'],
  (gauge) => {
    gauge.set(
      { state: 'idle' },
      sumOf((pool) => pool.idleCount),
    )
    gauge.set(
      { state: 'used' },
      sumOf((pool) => pool.totalCount - pool.idleCount),
    )
  },
)
metrics.gauge('db_client_connection_max', 'Most connections of the pool', [], (gauge) =>
  gauge.set(sumOf((pool) => pool.options.max)),
)
metrics.gauge(
  'db_client_connection_pending_requests',
  'Transactions that wait for a connection of the pool',
  [],
  (gauge) => gauge.set(sumOf((pool) => pool.waitingCount)),
)
const waited = metrics.seconds(
  'db_client_connection_wait_time_seconds',
  'Time that a transaction waited for a connection of the pool',
)

/** Shows the pool in the metrics until it is closed. */
export const measurePool = (pool: pg.Pool) => {
  pools.add(pool)
  return {
    /** Measures the wait for a connection. */
    waiting: async <T>(connect: () => Promise<T>): Promise<T> => {
      const end = waited.startTimer()
      try {
        return await connect()
      } finally {
        end()
      }
    },
    close: () => void pools.delete(pool),
  }
}
