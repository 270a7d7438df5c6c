import type { DomainEvent, ServiceName } from '@causeway/contracts'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/db.ts'
import type { Logger } from '../log.ts'

/** An event as a consumer gets it. */
export type Received = Readonly<{ event: DomainEvent; subject: string }>

export type ConsumeOptions = Readonly<{
  service: ServiceName
  durable: string
  /** At most so many events in one call of `handle`, and twice as many in memory. */
  batch: number
  /** At most so many calls of `handle` at once; default 1. */
  concurrency?: number
  db: Db
  clock: Clock
  log: Logger
  /**
   * Opens what an event holds sealed. One on which it throws is tried again by itself and parked, as one that fails;
   * those that came with it are handled meanwhile.
   */
  open?: (received: Received) => Received
  /** Must tolerate an event that it has seen already. Its return acknowledges the batch; what it throws is retried. */
  handle: (events: readonly Received[]) => Promise<void>
}>
