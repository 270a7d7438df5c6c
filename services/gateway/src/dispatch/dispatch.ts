import {
  isOutdated,
  refuse,
  relay,
  type ActionLog,
  type Bus,
  type Clock,
  type RelayedReply,
} from '@causeway/chassis'
import type { StaffActions } from '../pipeline/staff-actions.ts'
import type { CheckedRequest } from '../pipeline/request-checks.ts'

export type DispatchOptions = Readonly<{
  bus: Bus
  clock: Clock
  /** Deadline of a request on the bus. */
  timeoutMs: number
  staffActions: StaffActions
  logAction: ActionLog
  /** Reads what has changed in access, so that a change holds on this replica when it is answered. */
  refreshChanges: () => Promise<void>
}>

const isOfAccess = ({ service }: CheckedRequest['endpoint']): boolean => service === 'access'

/** A service receives no more about the caller than its operation needs; access also needs the role of staff. */
const callerJsonFor = ({ endpoint, identity }: CheckedRequest): string => {
  const { operation } = endpoint.route
  if (operation.needsPartnerDefaults) return identity.callerWithDefaultsJson
  if (operation.needsClientLimits) return identity.callerWithLimitsJson
  if (identity.role === null || !isOfAccess(endpoint)) return identity.callerJson
  return JSON.stringify({ kind: 'operator', actor: identity.actor, role: identity.role })
}

/** Carries out checked requests in the service that owns the operation; those of staff pass the gate of access first. */
export const createDispatcher = (options: DispatchOptions) => {
  const { bus, clock, timeoutMs, staffActions, logAction, refreshChanges } = options

  const callOwner = async (request: CheckedRequest, expectedJson?: string): Promise<RelayedReply> => {
    const { requestId, endpoint, idempotencyKey, paramsJson, queryJson, bodyJson } = request
    const { operation } = endpoint.route
    const answer = await relay(bus, clock, operation.subject, {
      requestId,
      callerJson: callerJsonFor(request),
      timeoutMs: timeoutMs + operation.waitsMs,
      safe: endpoint.safe,
      isRetriedWhenSlow: endpoint.safe && operation.waitsMs === 0,
      idempotencyKey,
      paramsJson,
      queryJson,
      bodyJson,
      expectedJson,
    })
    if (isOfAccess(endpoint) && !endpoint.safe) await refreshChanges()
    return answer
  }

  const carryOut = async (
    request: CheckedRequest,
    actor: string,
    expectedJson: string | undefined,
  ): Promise<RelayedReply> => {
    const { operation, approvesRefund, approvesPayout } = request.endpoint.route
    const answer = await callOwner(request, expectedJson)
    if (answer.ok && approvesRefund) return staffActions.approveRefund(request, actor, answer)
    if (answer.ok && approvesPayout) return staffActions.approvePayout(request, actor, answer)
    // Nothing was done: what decides whether a second person is needed changed at the same moment.
    const isConflict = isOutdated(answer) && !operation.refusals.includes('invalid_state')
    return isConflict ? refuse('temporarily_unavailable') : answer
  }

  const dispatchOfStaff = async (request: CheckedRequest, actor: string): Promise<RelayedReply> => {
    const begun = await staffActions.begin(request, actor)
    if ('answer' in begun) return begun.answer
    const answer = await carryOut(request, actor, begun.expectedJson)
    if (!request.endpoint.safe) await staffActions.end(request, answer)
    return answer
  }

  const dispatchOfPartner = async (request: CheckedRequest): Promise<RelayedReply> => {
    if (!request.endpoint.route.operation.audited) return callOwner(request)
    await staffActions.beginOfPartner(request)
    const answer = await callOwner(request)
    await staffActions.end(request, answer)
    return answer
  }

  return async (request: CheckedRequest): Promise<RelayedReply> => {
    const { requestId, endpoint, identity, paramsJson } = request
    const { client, actor } = identity
    const answer = await (actor === null ? dispatchOfPartner(request) : dispatchOfStaff(request, actor))
    const { operation } = endpoint.route
    logAction({ requestId, operation, safe: endpoint.safe, client, actor, paramsJson }, answer)
    return answer
  }
}
