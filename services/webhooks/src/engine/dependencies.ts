import type { Clock, Db, Logger, Vault } from '@causeway/chassis'
import type { ActiveTime } from '../sending/active-time.ts'
import type { DestinationQueues } from '../sending/destination-queues.ts'
import type { DestinationRegistry } from './destination-registry.ts'
import type { Writer } from './record/writer.ts'
import type { DueIndex } from './due-index.ts'

/** Dependencies that the fast and the slow path share. */
export type EngineDependencies = Readonly<{
  db: Db
  clock: Clock
  log: Logger
  vault: Vault
  registry: DestinationRegistry
  queues: DestinationQueues
  activeTime: ActiveTime
  dueIndex: DueIndex
  writer: Writer
}>

/** How long after an attempt's deadline its lease ends: time to record the outcome. */
export const LEASE_MARGIN_MS = 10_000

/** How long a claimed delivery may wait in memory before it is released. */
const CLAIM_WAIT_MS = 5_000

/** How long a claimed delivery stays leased, where an attempt may take `timeoutMs`. */
export const claimLeaseMs = (timeoutMs: number): number => CLAIM_WAIT_MS + timeoutMs + LEASE_MARGIN_MS
