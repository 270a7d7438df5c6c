import type { ServiceName } from '@causeway/contracts'
import type { Bus } from './bus/connect.ts'
import type { EventSeals } from './bus/event-seals.ts'
import type { Clock } from './clock.ts'
import type { Vault } from './crypto.ts'
import type { Db } from './db/db.ts'
import type { Logger } from './log.ts'

/** What a service is given to stand on that seals nothing. */
export type KeylessServiceContext = Readonly<{
  service: ServiceName
  db: Db
  bus: Bus
  eventSeals: EventSeals
  clock: Clock
  log: Logger
  /** What every timeout of this process is multiplied by. */
  timeoutFactor: number
}>

/** What every other service is given to stand on. */
export type ServiceContext = KeylessServiceContext & Readonly<{ vault: Vault }>
