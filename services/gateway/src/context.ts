import type { Blobs, Bus, Clock, Cursors, Db, Logger, Vault } from '@causeway/chassis'
import type { ChangeFeed } from './change-feed/change-feed.ts'
import type { GetReadiness } from './http/readiness.ts'
import type { Keyring } from './signing-keys/keyring.ts'

/** What the folders of the gateway share: the connections of the process, key ring, change feed and readiness. */
export type GatewayContext = Readonly<{
  db: Db
  bus: Bus
  clock: Clock
  log: Logger
  vault: Vault
  blobs: Blobs
  cursors: Cursors
  keyring: Keyring
  changeFeed: ChangeFeed
  getReadiness: GetReadiness
}>
