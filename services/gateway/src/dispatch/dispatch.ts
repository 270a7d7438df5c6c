import {
  detailsFromZod,
  isOutdated,
  refuse,
  relay,
  type Bus,
  type Clock,
  type Logger,
  type RelayedReply,
} from '@causeway/chassis'
import { merchants, type Operation } from '@causeway/contracts'
import type { AuditTrail, OwnOperations, StaffCall } from '@causeway/access'
import type { AccessClient } from '../clients/access.ts'
import type { ActionLog } from './action-log.ts'
import { createRefundApproval } from './refund-approval.ts'

export type ExecutorOptions = Readonly<{
  findPartner: AccessClient['findPartner']
  bus: Bus
  clock: Clock
  log: Logger
  /** Deadline of a request on the bus. */
  timeoutMs: number
  /** Key that signs approvals for the signer; null without a signer. */
  approvalKey: Uint8Array | null
}>

const parsed = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json))

/** A service receives no more about the caller than its operation needs. */
const callerJsonFor = (operation: Operation, identity: StaffCall['identity']): string => {
  if (operation.needsPartnerDefaults) return identity.callerWithDefaultsJson
  return operation.needsClientLimits ? identity.callerWithLimitsJson : identity.callerJson
}

const refusalOfPartner = async (
  { findPartner }: ExecutorOptions,
  checked: StaffCall,
): Promise<RelayedReply | null> => {
  const { partnerId } = parsed(checked.paramsJson) as { partnerId: string }
  return (await findPartner(partnerId)) === null ? refuse('resource_not_found') : null
}

/** Asks onboarding, which owns merchants, whether one exists. */
const refusalOfMerchant = async (
  { bus, clock, timeoutMs }: ExecutorOptions,
  { requestId, identity, paramsJson }: StaffCall,
): Promise<RelayedReply | null> => {
  const { customerId } = parsed(paramsJson) as { customerId: string }
  const answer = await relay(bus, clock, merchants.get.subject, {
    requestId,
    callerJson: identity.callerJson,
    timeoutMs,
    safe: true,
    paramsJson: JSON.stringify({ customerId }),
  })
  if (answer.ok) return null
  return refuse(answer.code === 'resource_not_found' ? 'resource_not_found' : 'temporarily_unavailable')
}

/**
 * Checks that the partner or merchant of the path exists, for services that cannot know it. The body is validated first,
 * in the order of decisions §1; the service validates it again.
 */
const refusalOfOwner = async (options: ExecutorOptions, checked: StaffCall): Promise<RelayedReply | null> => {
  const { operation, ofPartner, ofMerchant } = checked.endpoint.route
  if (!ofPartner && !ofMerchant) return null
  const body = parsed(checked.bodyJson)
  const validated = operation.body.safeParse(body)
  if (!validated.success) return refuse(operation.badBody, detailsFromZod(validated.error, body))
  return ofPartner ? refusalOfPartner(options, checked) : refusalOfMerchant(options, checked)
}

const staffActionOf = ({ requestId, endpoint, paramsJson }: StaffCall, actor: string) => ({
  requestId,
  operation: endpoint.route.operation,
  actor,
  paramsJson,
  safe: endpoint.safe,
})

/** Carries requests out in the service that owns the operation. */
export const createExecutor = (options: ExecutorOptions) => {
  const { bus, clock } = options

  const approve = createRefundApproval(options)

  /** Carries out an operation of a service; a refund that the signer shall send is approved where it was accepted. */
  const callService = async (call: StaffCall): Promise<RelayedReply> => {
    const { identity, endpoint } = call
    const { operation } = endpoint.route
    const answer = await relay(bus, clock, operation.subject, {
      requestId: call.requestId,
      callerJson: callerJsonFor(operation, identity),
      timeoutMs: options.timeoutMs + operation.waitsMs,
      safe: endpoint.safe,
      isRetriedWhenSlow: endpoint.safe && operation.waitsMs === 0,
      idempotencyKey: call.idempotencyKey,
      paramsJson: call.paramsJson,
      queryJson: call.queryJson,
      bodyJson: call.bodyJson,
      expectedJson: call.expectedJson,
    })
    return approve(call, answer)
  }

  return {
    /** Why a call is refused before it is carried out, for what its owner cannot know; null where it is not. */
    refusalOf: (call: StaffCall): Promise<RelayedReply | null> => refusalOfOwner(options, call),

    callService,
  }
}
export type Executor = ReturnType<typeof createExecutor>

type DispatchOptions = Readonly<{
  executor: Executor
  /** The operations of access. */
  own: OwnOperations
  audit: Pick<AuditTrail, 'record'>
  logAction: ActionLog
  /** Reads what has changed in access, so that a change holds on this replica when it is answered. */
  refreshChanges: () => Promise<void>
}>

/** Executes checked requests; those of staff pass the gate first, and are in the audit log. */
export const createDispatcher = ({ executor, own, audit, logAction, refreshChanges }: DispatchOptions) => {
  const dispatch = async (call: StaffCall): Promise<RelayedReply> => {
    const refusal = await executor.refusalOf(call)
    if (refusal !== null) return refusal
    const answer = own.execute(call)
    if (answer === null) return executor.callService(call)
    const executed = await answer
    if (!call.endpoint.safe) await refreshChanges()
    return executed
  }

  const dispatchOfStaff = async (checked: StaffCall): Promise<RelayedReply> => {
    const passed = await own.gate.pass(checked)
    if ('answer' in passed) return passed.answer
    const answer = await dispatch(passed.call)
    // Nothing was done: what decides whether a second person is needed changed at the same moment.
    const isConflict =
      isOutdated(answer) && !checked.endpoint.route.operation.refusals.includes('invalid_state')
    return isConflict ? refuse('temporarily_unavailable') : answer
  }

  return async (checked: StaffCall): Promise<RelayedReply> => {
    const { actor } = checked.identity
    const answer =
      actor === null
        ? await dispatch(checked)
        : await audit.record(staffActionOf(checked, actor), () => dispatchOfStaff(checked))
    logAction(checked, answer)
    return answer
  }
}
