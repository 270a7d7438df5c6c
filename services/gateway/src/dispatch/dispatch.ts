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
import type { Identity } from '../auth/identity.ts'
import type { CheckedRequest } from '../pipeline/request-checks.ts'
import { getPartner } from '../partners/store.ts'
import { createActionLog } from './action-log.ts'
import type { AuditTrail } from '../audit/trail.ts'

export type DispatchOptions = Readonly<{
  db: Db
  bus: Bus
  clock: Clock
  log: Logger
  /** Deadline of a request on the bus. */
  timeoutMs: number
  /** Whether the signer sends refunds, and has to know what staff approve. */
  hasSigner: boolean
  /** The gateway's own operations. */
  own: readonly Implementation[]
  audit: AuditTrail
  /** Whether own replies are checked against their contract: on in tests. */
  checkReplies: boolean
}>

const parsed = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json))

/** A service receives no more about the caller than its operation needs. */
const callerJsonFor = (operation: Operation, identity: Identity): string => {
  if (operation.needsPartnerDefaults) return identity.callerWithDefaultsJson
  return operation.needsClientLimits ? identity.callerWithLimitsJson : identity.callerJson
}

const refusalOfPartner = async (db: Db, checked: CheckedRequest): Promise<RelayedReply | null> => {
  const { partnerId } = parsed(checked.paramsJson) as { partnerId: string }
  const partner = isId('partner', partnerId) ? await getPartner(db, { partnerId }) : null
  return partner === null ? refuse('resource_not_found') : null
}

/** Asks onboarding, which owns merchants, whether one exists. */
const refusalOfMerchant = async (
  { bus, clock, timeoutMs }: DispatchOptions,
  { requestId, identity, paramsJson }: CheckedRequest,
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
const refusalOfOwner = async (
  options: DispatchOptions,
  checked: CheckedRequest,
): Promise<RelayedReply | null> => {
  const { operation, ofPartner, ofMerchant } = checked.endpoint.route
  if (!ofPartner && !ofMerchant) return null
  const body = parsed(checked.bodyJson)
  const validated = operation.body.safeParse(body)
  if (!validated.success) return refuse(operation.badBody, detailsFromZod(validated.error, body))
  return ofPartner ? refusalOfPartner(options.db, checked) : refusalOfMerchant(options, checked)
}

/** Tells the signer what staff approve, before another service asks it for that: null once it knows. */
const refusalOfSigner = async (
  { hasSigner, bus, clock, timeoutMs }: DispatchOptions,
  { requestId, identity, endpoint, paramsJson, bodyJson }: CheckedRequest,
): Promise<RelayedReply | null> => {
  const { approval } = endpoint.route
  if (approval === null || !hasSigner) return null
  const answer = await relay(bus, clock, approval.subject, {
    requestId,
    callerJson: identity.callerJson,
    timeoutMs,
    safe: true,
    paramsJson,
    bodyJson,
  })
  return answer.ok ? null : answer
}

const staffActionOf = ({ requestId, endpoint, paramsJson }: CheckedRequest, actor: string) => ({
  requestId,
  operation: endpoint.route.operation,
  actor,
  paramsJson,
  safe: endpoint.safe,
})

/** Executes checked requests: in the gateway, or in the service that owns the operation. */
export const createDispatcher = (options: DispatchOptions) => {
  const { bus, clock, log } = options
  const own = new Map(options.own.map((implementation) => [implementation.operation.subject, implementation]))

  const dispatchOwn = async (
    implementation: Implementation,
    checked: CheckedRequest,
  ): Promise<RelayedReply> => {
    const outcome = await execute(
      implementation,
      {
        requestId: checked.requestId,
        deadlineMs: clock.outsideMs() + options.timeoutMs,
        caller: JSON.parse(checked.identity.callerJson) as Caller,
        params: parsed(checked.paramsJson),
        query: parsed(checked.queryJson),
        body: parsed(checked.bodyJson),
      },
      { clock, log, checkReplies: options.checkReplies },
    )
    if (!outcome.ok) return outcome
    const { value, before } = outcome
    return { ok: true, data: Buffer.from(JSON.stringify(value)), ...(before === undefined ? {} : { before }) }
  }

  const dispatchToService = (checked: CheckedRequest): Promise<RelayedReply> => {
    const { identity, endpoint } = checked
    const { operation } = endpoint.route
    return relay(bus, clock, operation.subject, {
      requestId: checked.requestId,
      callerJson: callerJsonFor(operation, identity),
      timeoutMs: options.timeoutMs + operation.waitsMs,
      safe: endpoint.safe,
      asksAgain: endpoint.safe && operation.waitsMs === 0,
      idempotencyKey: checked.idempotencyKey,
      paramsJson: checked.paramsJson,
      queryJson: checked.queryJson,
      bodyJson: checked.bodyJson,
    })
  }

  const dispatch = async (checked: CheckedRequest): Promise<RelayedReply> => {
    const { route } = checked.endpoint
    const refusal = await refusalOfOwner(options, checked)
    if (refusal !== null) return refusal
    const unapproved = await refusalOfSigner(options, checked)
    if (unapproved !== null) return unapproved
    const implementation = own.get(route.operation.subject)
    return implementation === undefined ? dispatchToService(checked) : dispatchOwn(implementation, checked)
  }

  const logAction = createActionLog(log)
  return async (checked: CheckedRequest): Promise<RelayedReply> => {
    const { actor } = checked.identity
    const answer =
      actor === null
        ? await dispatch(checked)
        : await options.audit.record(staffActionOf(checked, actor), () => dispatch(checked))
    logAction(checked, answer)
    return answer
  }
}
