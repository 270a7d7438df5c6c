import type { ServiceName } from '@causeway/contracts'
import type { Bus } from './bus/connect.ts'
import type { Clock } from './clock.ts'
import type { Vault } from './crypto.ts'
import type { Db } from './db/db.ts'
import type { Logger } from './log.ts'

/** What every service is given to stand on. */
export type Ground = Readonly<{
  service: ServiceName
  db: Db
  bus: Bus
  clock: Clock
  log: Logger
  vault: Vault
}>
