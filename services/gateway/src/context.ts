import type { Blobs, Bus, Clock, Logger } from '@causeway/chassis'
import type { Changes } from './auth/changes.ts'
import type { SigningKeys } from './auth/signing-keys.ts'
import type { AccessClient } from './clients/access.ts'
import type { PortalPeople } from './clients/portal-people.ts'
import type { Sessions } from './clients/sessions.ts'
import type { StaffActions } from './pipeline/staff-actions.ts'
import type { GetReadiness } from './http/readiness.ts'

/** Shared by the folders of the edge. There is no database: credentials are checked through access. */
export type GatewayContext = Readonly<{
  access: AccessClient
  sessions: Sessions
  portalPeople: PortalPeople
  changes: Changes
  signingKeys: SigningKeys
  staffActions: StaffActions
  bus: Bus
  clock: Clock
  log: Logger
  blobs: Blobs
  getReadiness: GetReadiness
}>
