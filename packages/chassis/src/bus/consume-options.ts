import type { DomainEvent, ServiceName } from '@causeway/contracts'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/db.ts'
import type { Logger } from '../log.ts'

/** An event and the subject on which it arrived. */
export type Received = Readonly<{ event: DomainEvent; subject: string }>

export type ConsumeOptions = Readonly<{
  service: ServiceName
  durable: string
  /** Most events in one call of `handle`; twice as many are kept in memory. */
  batch: number
  /** Most calls of `handle` at once; default 1. */
  concurrency?: number
  db: Db
  clock: Clock
  log: Logger
  /**
   * Decrypts the sealed part of an event. An event on which it throws is retried alone and parked at last, as one that
   * fails in `handle`; the others of the batch are handled.
   */
  open?: (received: Received) => Received
  /** Must tolerate repeated events. When it returns, the batch is acknowledged; when it throws, it is retried. */
  handle: (events: readonly Received[]) => Promise<void>
}>
