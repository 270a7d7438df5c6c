import type { DomainEvent, ServiceName } from '@causeway/contracts'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/db.ts'
import type { Logger } from '../log.ts'

/** An event, the subject on which it arrived, and the trace that caused it; null where no request was traced. */
export type Received = Readonly<{ event: DomainEvent; subject: string; traceparent: string | null }>

/** `Item` is what `handle` takes of each event. */
export type ConsumeOptions<Item = Received> = Readonly<{
  service: ServiceName
  durable: string
  /** Most events in one call of `handle`; twice as many are kept in memory. */
  batch: number
  /** Maximum concurrent calls of `handle`; default 1. */
  concurrency?: number
  db: Db
  clock: Clock
  log: Logger
  /**
   * Makes an item of an event, decrypting its sealed part; left out: the event as it was received. An event on which it
   * throws is retried alone and parked at last, as one that fails in `handle`; the others of the batch are handled.
   */
  read?: (received: Received) => Item
  /**
   * Must tolerate repeated events. When it returns, the batch is acknowledged; when it throws, it is retried. Nobody else
   * holds the items: those that it has let go of are free before the batch is over.
   */
  handle: (items: readonly Item[]) => Promise<void>
}>
