import type { Clock, Db, Logger, Vault } from '@causeway/chassis'
import type { Lanes } from '../sending/destination-queues.ts'
import type { RunningTime } from '../sending/active-time.ts'
import type { Agenda } from './slow-path/due-index.ts'
import type { Registry } from './destination-registry.ts'
import type { Writer } from './record/writer.ts'

/** What the fast and the slow path share. */
export type EngineParts = Readonly<{
  db: Db
  clock: Clock
  log: Logger
  vault: Vault
  registry: Registry
  lanes: Lanes
  running: RunningTime
  agenda: Agenda
  writer: Writer
}>

/** How long after an attempt's deadline its lease ends: time to write the outcome down. */
export const LEASE_MARGIN_MS = 10_000
