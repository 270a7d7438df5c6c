import type { RelayedReply } from '@causeway/chassis'
import type { StaffRole } from '@causeway/contracts'
import type { OperationRoute } from '@causeway/contracts/http'

/** A checked request of staff: the operation, its input, and who calls. */
export type StaffCall = Readonly<{
  requestId: string
  /** `safe`: the operation changes nothing. */
  endpoint: Readonly<{ route: OperationRoute; safe: boolean }>
  /** Id in the audit log. */
  actor: string
  /** Null for the people of a partner in the portal. */
  role: StaffRole | null
  idempotencyKey: string | undefined
  paramsJson: string | undefined
  queryJson: string | undefined
  bodyJson: string | undefined
  /** State that the owner must find unchanged: of a request whose need for a second person depends on it. */
  expectedJson?: string | undefined
  /** The second person, of a request that waited for one. */
  confirmedBy?: string
  /** The pending action that it carries out. */
  confirms?: string
}>

/** The caller that services see. */
export const callerJsonOf = (actor: string): string => JSON.stringify({ kind: 'operator', actor })

/** The services that own the other operations, as access calls them when an action is confirmed. */
export type Owners = Readonly<{
  /** Returns why a call is refused before it is carried out, for what its owner cannot know; null where it is not. */
  refusalOf: (call: StaffCall) => Promise<RelayedReply | null>
  callService: (call: StaffCall) => Promise<RelayedReply>
  /** Logs a carried-out call. */
  logAction: (call: StaffCall, answer: RelayedReply) => void
}>

/** Decides which requests of staff wait for a second person (decisions §14). */
export type Gate = Readonly<{
  /** Returns the answer to one that waits or is refused; else the call to carry out now. */
  pass(checked: StaffCall): Promise<Readonly<{ call: StaffCall }> | Readonly<{ answer: RelayedReply }>>
}>
