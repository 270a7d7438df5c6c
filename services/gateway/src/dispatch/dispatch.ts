import {
  detailsFromZod,
  execute,
  isId,
  refuse,
  relay,
  type Bus,
  type Clock,
  type Db,
  type Implementation,
  type Logger,
  type RelayedReply,
} from '@causeway/chassis'
import { merchants, type Caller, type Operation } from '@causeway/contracts'
import type { CheckedRequest } from '../pipeline/request-checks.ts'
import { getPartner } from '../partners/store.ts'
import type { ActionLog } from './action-log.ts'
import type { Call } from './call.ts'
import type { AuditTrail } from '../audit/trail.ts'
import { createRefundApproval } from './refund-approval.ts'

export type ExecutorOptions = Readonly<{
  db: Db
  bus: Bus
  clock: Clock
  log: Logger
  /** Deadline of a request on the bus. */
  timeoutMs: number
  /** Signs what staff approve for the signer; null where there is none. */
  approvalKey: Uint8Array | null
  /** Whether own replies are checked against their contract: on in tests. */
  checkReplies: boolean
}>

const parsed = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json))

/** A service receives no more about the caller than its operation needs. */
const callerJsonFor = (operation: Operation, identity: Call['identity']): string => {
  if (operation.needsPartnerDefaults) return identity.callerWithDefaultsJson
  return operation.needsClientLimits ? identity.callerWithLimitsJson : identity.callerJson
}

const refusalOfPartner = async (db: Db, checked: Call): Promise<RelayedReply | null> => {
  const { partnerId } = parsed(checked.paramsJson) as { partnerId: string }
  const partner = isId('partner', partnerId) ? await getPartner(db, { partnerId }) : null
  return partner === null ? refuse('resource_not_found') : null
}

/** Asks onboarding, which owns merchants, whether one exists. */
const refusalOfMerchant = async (
  { bus, clock, timeoutMs }: ExecutorOptions,
  { requestId, identity, paramsJson }: Call,
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
const refusalOfOwner = async (options: ExecutorOptions, checked: Call): Promise<RelayedReply | null> => {
  const { operation, ofPartner, ofMerchant } = checked.endpoint.route
  if (!ofPartner && !ofMerchant) return null
  const body = parsed(checked.bodyJson)
  const validated = operation.body.safeParse(body)
  if (!validated.success) return refuse(operation.badBody, detailsFromZod(validated.error, body))
  return ofPartner ? refusalOfPartner(options.db, checked) : refusalOfMerchant(options, checked)
}

const staffActionOf = ({ requestId, endpoint, paramsJson }: CheckedRequest, actor: string) => ({
  requestId,
  operation: endpoint.route.operation,
  actor,
  paramsJson,
  safe: endpoint.safe,
})

/** The caller of an own operation: of staff with the role, which those about other people's actions need. */
const ownCallerOf = ({ callerJson, role }: Call['identity']): Caller => {
  const caller = JSON.parse(callerJson) as Caller
  return caller.kind === 'operator' && role !== null ? { ...caller, role } : caller
}

/** Carries requests out: in the gateway, or in the service that owns the operation. */
export const createExecutor = (options: ExecutorOptions) => {
  const { bus, clock, log } = options

  const approve = createRefundApproval(options)

  /** Carries out an operation of a service; a refund that the signer shall send is approved where it was accepted. */
  const callService = async (call: Call): Promise<RelayedReply> => {
    const { identity, endpoint } = call
    const { operation } = endpoint.route
    const answer = await relay(bus, clock, operation.subject, {
      requestId: call.requestId,
      callerJson: callerJsonFor(operation, identity),
      timeoutMs: options.timeoutMs + operation.waitsMs,
      safe: endpoint.safe,
      asksAgain: endpoint.safe && operation.waitsMs === 0,
      idempotencyKey: call.idempotencyKey,
      paramsJson: call.paramsJson,
      queryJson: call.queryJson,
      bodyJson: call.bodyJson,
    })
    return approve(call, answer)
  }

  return {
    /** Why a call is refused before it is carried out, for what its owner cannot know; null where it is not. */
    refusalOf: (call: Call): Promise<RelayedReply | null> => refusalOfOwner(options, call),

    /** Carries out an operation of the gateway's own. */
    async executeOwn(implementation: Implementation, call: Call): Promise<RelayedReply> {
      const outcome = await execute(
        implementation,
        {
          requestId: call.requestId,
          deadlineMs: clock.outsideMs() + options.timeoutMs,
          caller: ownCallerOf(call.identity),
          params: parsed(call.paramsJson),
          query: parsed(call.queryJson),
          body: parsed(call.bodyJson),
        },
        { clock, log, checkReplies: options.checkReplies },
      )
      if (!outcome.ok) return outcome
      const { value, before } = outcome
      return {
        ok: true,
        data: Buffer.from(JSON.stringify(value)),
        ...(before === undefined ? {} : { before }),
      }
    },

    callService,
  }
}
export type Executor = ReturnType<typeof createExecutor>

/** Decides which requests of staff wait for a second person (decisions §14). */
export type Gate = Readonly<{
  /** The answer to one that waits or is refused; else the call to carry out now. */
  pass(checked: CheckedRequest): Promise<Readonly<{ call: Call }> | Readonly<{ answer: RelayedReply }>>
}>

type DispatchOptions = Readonly<{
  executor: Executor
  /** The gateway's own operations. */
  own: readonly Implementation[]
  audit: AuditTrail
  gate: Gate
  logAction: ActionLog
}>

/** Executes checked requests; those of staff pass the gate first, and are in the audit log. */
export const createDispatcher = ({ executor, own: all, audit, gate, logAction }: DispatchOptions) => {
  const own = new Map(all.map((implementation) => [implementation.operation.subject, implementation]))

  const dispatch = async (call: Call): Promise<RelayedReply> => {
    const refusal = await executor.refusalOf(call)
    if (refusal !== null) return refusal
    const implementation = own.get(call.endpoint.route.operation.subject)
    return implementation === undefined
      ? executor.callService(call)
      : executor.executeOwn(implementation, call)
  }

  const dispatchOfStaff = async (checked: CheckedRequest): Promise<RelayedReply> => {
    const passed = await gate.pass(checked)
    return 'answer' in passed ? passed.answer : dispatch(passed.call)
  }

  return async (checked: CheckedRequest): Promise<RelayedReply> => {
    const { actor } = checked.identity
    const answer =
      actor === null
        ? await dispatch(checked)
        : await audit.record(staffActionOf(checked, actor), () => dispatchOfStaff(checked))
    logAction(checked, answer)
    return answer
  }
}
