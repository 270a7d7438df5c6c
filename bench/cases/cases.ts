import {
  activeReaders,
  exhaustConnections,
  idleInTransaction,
  killOnce,
  killRepeatedly,
  restartDatabase,
  terminateBackends,
  type End,
} from './faults.ts'
import type { QueueSystem } from './queue-system.ts'

/** A fault or a pressure on a queue under a steady load. */
export type QueueCase = Readonly<{
  name: string
  /** Starts the fault, and returns a function that ends it. Without it, only the load changes. */
  begin?: (system: QueueSystem) => Promise<End>
  /** Load during the case, as a multiple of the load before and after. */
  load: number
}>

/**
 * The chaos and pressure cases of https://github.com/hardbyte/postgresql-job-queue-benchmarking (sweep of 2026-05-09):
 * five faults and four kinds of pressure, each between two undisturbed phases.
 */
export const QUEUE_CASES: readonly QueueCase[] = [
  { name: 'crash_recovery: a worker is killed', begin: killOnce, load: 1 },
  { name: 'repeated_kills: a worker is killed every 3 s', begin: killRepeatedly, load: 1 },
  { name: 'postgres_restart', begin: restartDatabase, load: 1 },
  { name: 'pg_backend_kill: all busy backends, twice a second', begin: terminateBackends, load: 1 },
  { name: 'pool_exhaustion: up to 300 idle connections', begin: exhaustConnections, load: 1 },
  { name: 'idle_in_tx: a snapshot is held', begin: idleInTransaction, load: 1 },
  { name: 'active_readers: four scanning snapshots', begin: activeReaders, load: 1 },
  { name: 'sustained_high_load: 1.5 times the load', load: 1.5 },
  { name: 'event_burst: five times the load', load: 5 },
]
