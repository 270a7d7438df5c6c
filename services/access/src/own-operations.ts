import { createLocalRelay, relay, type LocalRelay, type RelayedReply } from '@causeway/chassis'
import type { Operation } from '@causeway/contracts'
import { operationRoutes } from '@causeway/contracts/http'
import type { AccessConfig } from './config.ts'
import type { AccessContext } from './context.ts'
import { apiKeyOperations } from './api-keys/operations.ts'
import { auditOperations } from './audit/operations.ts'
import type { AuditTrail } from './audit/trail.ts'
import { clientKeyOperations } from './client-keys/operations.ts'
import { clientOperations } from './clients/operations.ts'
import { ownApiKeyOperations } from './own-api-keys/operations.ts'
import { parkedEventOperations } from './parked-events/operations.ts'
import { partnerOperations } from './partners/operations.ts'
import { createCarryOut } from './pending-actions/carry-out.ts'
import { createGate } from './pending-actions/gate.ts'
import type { Ask } from './pending-actions/preparation.ts'
import { pendingActionOperations } from './pending-actions/operations.ts'
import type { Gate, Owners, StaffCall } from './pending-actions/staff-call.ts'
import { portalLinkOperations } from './portal-links/operations.ts'
import { sessionOperations } from './sessions/operations.ts'
import { staffKeyOperations } from './staff-keys/operations.ts'

/** The operations of access that record their end in the audit log themselves, in their transaction. */
export const recordedOperations = (context: AccessContext, config: AccessConfig) => [
  ...partnerOperations(context),
  ...clientOperations(context),
  ...clientKeyOperations(context),
  ...apiKeyOperations(context),
  ...ownApiKeyOperations(context),
  ...staffKeyOperations(context),
  ...portalLinkOperations(context, config),
  ...sessionOperations(context, config),
  ...auditOperations(context),
]

const ROUTES = new Map(
  operationRoutes.map((route) => [route.operation.subject, { route, safe: route.method === 'GET' }]),
)

type Options = Readonly<{ audit: AuditTrail; operatorActor: string; owners: Owners }>

/** The operations of access, and the gate of those that need a second person. */
export type OwnOperations = Readonly<{
  gate: Gate
  /** Executes an operation of access; null for one that a service owns. */
  execute(call: StaffCall): Promise<RelayedReply> | null
}>

/** The caller of an operation of access: it also needs the role of staff, and the pending action that it carries out. */
const callerJsonOf = ({ identity: { callerJson, role }, confirms }: StaffCall): string =>
  role === null ? callerJson : JSON.stringify({ ...(JSON.parse(callerJson) as object), role, confirms })

const createExecute =
  (local: LocalRelay, timeoutMs: number): OwnOperations['execute'] =>
  (call) => {
    const { subject } = call.endpoint.route.operation
    if (!local.serves(subject)) return null
    const { requestId, endpoint, paramsJson, queryJson, bodyJson, expectedJson } = call
    const input = { paramsJson, queryJson, bodyJson, expectedJson }
    const callerJson = callerJsonOf(call)
    return local.relay(subject, { requestId, callerJson, timeoutMs, safe: endpoint.safe, ...input })
  }

export const createOwnOperations = (
  context: AccessContext,
  config: AccessConfig,
  { audit, operatorActor, owners }: Options,
): OwnOperations => {
  const { bus, clock } = context
  const { fourEyes, busTimeoutMs: timeoutMs, checkReplies = false } = config
  const execution = { ...context, checkReplies }
  const recorded = recordedOperations(context, config)
  const local = createLocalRelay(recorded, execution)
  const ask: Ask = (subject, request) =>
    local.serves(subject) ? local.relay(subject, request) : relay(bus, clock, subject, request)
  const carryOut = createCarryOut({ ...context, audit, owners, executeOwn: createExecute(local, timeoutMs) })
  const decided = pendingActionOperations({
    ...context,
    endpoints: ROUTES,
    carryOut,
    ask,
    timeoutMs,
    operatorActor,
    onlyPeopleConfirm: config.oidc !== null,
    // An operation of access ends its pending action in its transaction: one that has not ended was not done.
    isRepeatable: ({ subject, repeatable }: Operation) => repeatable || local.serves(subject),
  })
  // What the operations of parked events do, a service does: the trail records it like every other answer of a service.
  const all = createLocalRelay(
    [...recorded, ...parkedEventOperations(context, config), ...decided],
    execution,
  )
  return {
    gate: createGate({ ...context, ask, timeoutMs, fourEyes, owners }),
    execute: createExecute(all, timeoutMs),
  }
}
