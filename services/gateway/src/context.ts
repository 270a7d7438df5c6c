import type { Blobs, Bus, Clock, Logger } from '@causeway/chassis'
import type { Access } from '@causeway/access'
import type { Changes } from './auth/changes.ts'
import type { SigningKeys } from './auth/signing-keys.ts'
import type { AccessClient } from './clients/access.ts'
import type { Sessions } from './clients/sessions.ts'
import type { GetReadiness } from './http/readiness.ts'

/** Shared by the folders of the edge. There is no database: credentials are checked through access. */
export type GatewayContext = Readonly<{
  access: AccessClient
  sessions: Sessions
  changes: Changes
  signingKeys: SigningKeys
  staff: Pick<Access, 'audit' | 'createOperations'>
  bus: Bus
  clock: Clock
  log: Logger
  blobs: Blobs
  getReadiness: GetReadiness
}>
