import type { ServiceName } from '@causeway/contracts'
import type { Bus } from './bus/connect.ts'
import type { EventSeals } from './bus/event-seals.ts'
import type { Clock } from './clock.ts'
import type { Vault } from './crypto.ts'
import type { Db } from './db/db.ts'
import type { Logger } from './log.ts'

/** The parts of the service context that need no keys. */
export type KeylessServiceContext = Readonly<{
  service: ServiceName
  db: Db
  bus: Bus
  eventSeals: EventSeals
  clock: Clock
  log: Logger
  /** Factor of all timeouts of this process. */
  timeoutFactor: number
}>

/** The context of a service that encrypts what it stores. */
export type ServiceContext = KeylessServiceContext & Readonly<{ vault: Vault }>
