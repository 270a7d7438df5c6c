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
import type { Admitted } from '../http/request-checks.ts'
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
  /** What the gateway carries out itself. */
  own: readonly Implementation[]
  audit: AuditTrail
  /** Whether own replies are checked against their contract: on in tests. */
  checkReplies: boolean
}>

const parsed = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json))

/** A service is told no more of the caller than its operation needs. */
const callerJsonFor = (operation: Operation, identity: Identity): string => {
  if (operation.needsPartnerDefaults) return identity.callerWithDefaultsJson
  return operation.needsClientLimits ? identity.callerWithLimitsJson : identity.callerJson
}

const refusalOfPartner = async (db: Db, admitted: Admitted): Promise<RelayedReply | null> => {
  const { partnerId } = parsed(admitted.paramsJson) as { partnerId: string }
  const partner = isId('partner', partnerId) ? await getPartner(db, { partnerId }) : null
  return partner === null ? refuse('resource_not_found') : null
}

/** Merchants are onboarding's: it is asked whether one exists. */
const refusalOfMerchant = async (
  { bus, clock, timeoutMs }: DispatchOptions,
  { requestId, identity, paramsJson }: Admitted,
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
 * The check of the partner or merchant that a path names, for those who do not know them. The body is judged first, as
 * decisions §1 orders it; the service judges it again.
 */
const refusalOfOwner = async (options: DispatchOptions, admitted: Admitted): Promise<RelayedReply | null> => {
  const { operation, ofPartner, ofMerchant } = admitted.endpoint.route
  if (!ofPartner && !ofMerchant) return null
  const body = parsed(admitted.bodyJson)
  const judged = operation.body.safeParse(body)
  if (!judged.success) return refuse(operation.badBody, detailsFromZod(judged.error, body))
  return ofPartner ? refusalOfPartner(options.db, admitted) : refusalOfMerchant(options, admitted)
}

/** Carries out admitted requests: by the gateway itself or by the service that owns the operation. */
export const createDispatcher = (options: DispatchOptions) => {
  const { bus, clock, log } = options
  const own = new Map(options.own.map((implementation) => [implementation.operation.subject, implementation]))

  const dispatchOwn = async (implementation: Implementation, admitted: Admitted): Promise<RelayedReply> => {
    const outcome = await execute(
      implementation,
      {
        requestId: admitted.requestId,
        deadlineMs: clock.outsideMs() + options.timeoutMs,
        caller: JSON.parse(admitted.identity.callerJson) as Caller,
        params: parsed(admitted.paramsJson),
        query: parsed(admitted.queryJson),
        body: parsed(admitted.bodyJson),
      },
      { clock, log, checkReplies: options.checkReplies },
    )
    return outcome.ok ? { ok: true, data: Buffer.from(JSON.stringify(outcome.value)) } : outcome
  }

  const dispatchToService = (admitted: Admitted): Promise<RelayedReply> => {
    const { identity, endpoint } = admitted
    const { operation } = endpoint.route
    return relay(bus, clock, operation.subject, {
      requestId: admitted.requestId,
      callerJson: callerJsonFor(operation, identity),
      timeoutMs: options.timeoutMs + operation.waitsMs,
      safe: endpoint.safe,
      idempotencyKey: admitted.idempotencyKey,
      paramsJson: admitted.paramsJson,
      queryJson: admitted.queryJson,
      bodyJson: admitted.bodyJson,
    })
  }

  const dispatch = async (admitted: Admitted): Promise<RelayedReply> => {
    const { route } = admitted.endpoint
    const refusal = await refusalOfOwner(options, admitted)
    if (refusal !== null) return refusal
    const implementation = own.get(route.operation.subject)
    return implementation === undefined ? dispatchToService(admitted) : dispatchOwn(implementation, admitted)
  }

  const logAction = createActionLog(log)
  return async (admitted: Admitted): Promise<RelayedReply> => {
    const { actor } = admitted.identity
    const answer =
      actor === null
        ? await dispatch(admitted)
        : await options.audit.around(admitted, actor, () => dispatch(admitted))
    logAction(admitted, answer)
    return answer
  }
}
