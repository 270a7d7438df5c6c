import type { Blobs, Bus, Clock, Logger } from '@causeway/chassis'
import type { Access } from '@causeway/access'
import type { GetReadiness } from './http/readiness.ts'

/** Shared by the folders of the edge. There is no database: credentials are checked through access. */
export type GatewayContext = Readonly<{
  access: Access
  bus: Bus
  clock: Clock
  log: Logger
  blobs: Blobs
  getReadiness: GetReadiness
}>
