import {
  createLocalRelay,
  relay,
  type Implementation,
  type LocalRelay,
  type RelayedReply,
} from '@causeway/chassis'
import { pendingActions, type Operation } from '@causeway/contracts'
import { operationRoutes } from '@causeway/contracts/http'
import type { AccessConfig } from './config.ts'
import type { AccessContext } from './context.ts'
import { apiKeyOperations } from './api-keys/operations.ts'
import { auditOperations, auditTrailOperations } from './audit/operations.ts'
import { createAuditTrail } from './audit/trail.ts'
import { clientKeyOperations } from './client-keys/operations.ts'
import { clientOperations } from './clients/operations.ts'
import { gateOperations } from './gate/operations.ts'
import { ownApiKeyOperations } from './own-api-keys/operations.ts'
import { parkedEventOperations } from './parked-events/operations.ts'
import { partnerOperations } from './partners/operations.ts'
import { peopleOperations } from './people/operations.ts'
import { createCarryOut } from './pending-actions/carry-out.ts'
import { createGate } from './pending-actions/gate.ts'
import { createOwners } from './pending-actions/owners.ts'
import type { Ask } from './pending-actions/preparation.ts'
import { pendingActionOperations } from './pending-actions/operations.ts'
import { callerJsonOf, type StaffCall } from './pending-actions/staff-call.ts'
import { portalLinkOperations } from './portal-links/operations.ts'
import { createPayoutApproval } from './payout-approvals/approval.ts'
import { payoutApprovalOperations } from './payout-approvals/operations.ts'
import { createRefundApproval } from './refund-approvals/approval.ts'
import { refundApprovalOperations } from './refund-approvals/operations.ts'
import { sessionOperations } from './sessions/operations.ts'
import { staffKeyOperations } from './staff-keys/operations.ts'

/** The operations of access that record their end in the audit log themselves, in their transaction. */
const recordedOperations = (context: AccessContext, config: AccessConfig) => [
  ...partnerOperations(context),
  ...clientOperations(context),
  ...clientKeyOperations(context),
  ...apiKeyOperations(context),
  ...ownApiKeyOperations(context),
  ...staffKeyOperations(context),
  ...portalLinkOperations(context, config),
  ...peopleOperations(context, { ...config, sendsMail: config.mail !== null }),
  ...sessionOperations(context, config),
  ...auditOperations(context),
]

const ENDPOINTS = new Map(
  operationRoutes.map((route) => [
    route.operation.subject,
    { route, safe: route.operation.safe || route.method === 'GET' },
  ]),
)

/** The caller of an operation of access: it also needs the role of staff, and the pending action that it carries out. */
const ownCallerJsonOf = ({ actor, role, confirms }: StaffCall): string =>
  role === null ? callerJsonOf(actor) : JSON.stringify({ kind: 'operator', actor, role, confirms })

/** Executes a confirmed operation of access; null for one that a service owns. */
const createExecute =
  (local: LocalRelay, timeoutMs: number) =>
  (call: StaffCall): Promise<RelayedReply> | null => {
    const { subject } = call.endpoint.route.operation
    if (!local.serves(subject)) return null
    const { requestId, endpoint, paramsJson, queryJson, bodyJson, expectedJson } = call
    const input = { paramsJson, queryJson, bodyJson, expectedJson }
    const callerJson = ownCallerJsonOf(call)
    return local.relay(subject, { requestId, callerJson, timeoutMs, safe: endpoint.safe, ...input })
  }

/** The operations `gateway.*`, and those with which the gateway carries out actions of staff. */
export const staffActionOperations = (
  context: AccessContext,
  config: AccessConfig,
  operatorActor: string,
): Implementation[] => {
  const { db, bus, clock, log } = context
  const { fourEyes, approvalKey, busTimeoutMs: timeoutMs, checkReplies = false } = config
  const recorded = recordedOperations(context, config)
  const subjects = recorded.map(({ operation }) => operation.subject)
  const ownSubjects = new Set([...subjects, pendingActions.takeResult.subject])
  const trail = createAuditTrail({ db, clock, log, ownSubjects })
  const approve = createRefundApproval({ ...context, timeoutMs, approvalKey })
  const approvePayout = createPayoutApproval({ ...context, timeoutMs, approvalKey })
  const owners = createOwners({ ...context, timeoutMs, approve, approvePayout })
  const local = createLocalRelay(recorded, { ...context, checkReplies })
  const ask: Ask = (subject, request) =>
    local.serves(subject) ? local.relay(subject, request) : relay(bus, clock, subject, request)
  const executeOwn = createExecute(local, timeoutMs)
  const decided = pendingActionOperations({
    ...context,
    endpoints: ENDPOINTS,
    carryOut: createCarryOut({ ...context, audit: trail, owners, executeOwn }),
    ask,
    timeoutMs,
    operatorActor,
    onlyPeopleConfirm: config.oidc !== null,
    // An operation of access ends its pending action in its transaction: one that has not ended was not done.
    isRepeatable: ({ subject, repeatable }: Operation) => repeatable || local.serves(subject),
  })
  const gate = createGate({ ...context, ask, timeoutMs, fourEyes, owners })
  return [
    ...recorded,
    // What the operations of parked events do, a service does: the trail records it like every other answer of a service.
    ...parkedEventOperations(context, config),
    ...decided,
    ...gateOperations({ trail, gate, owners, endpoints: ENDPOINTS }),
    ...auditTrailOperations(trail, (subject) => ENDPOINTS.get(subject)?.route.operation),
    ...refundApprovalOperations(approve),
    ...payoutApprovalOperations(approvePayout),
  ]
}
