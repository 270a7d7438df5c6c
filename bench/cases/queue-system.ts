import type { DomainEvent } from '@causeway/contracts'

/** A queue on a separate PostgreSQL with two worker processes, each started again when it dies. */
export type QueueSystem = Readonly<{
  name: string
  newEvent: () => DomainEvent
  /** Stores an event in one transaction; rejects while it cannot. The same event may be stored again. */
  store: (event: DomainEvent) => Promise<void>
  /** Its databases, by a role whose backends are the queue's, each with the table that its work churns most. */
  databases: readonly Readonly<{ url: string; table: string }>[]
  /** Kills one of the two workers (SIGKILL). */
  killWorker: () => void
  /** Starts both workers anew: a case begins without what the one before left in them. */
  restartWorkers: () => Promise<void>
  restartDatabase: () => Promise<void>
}>
