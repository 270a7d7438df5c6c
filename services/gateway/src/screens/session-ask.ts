import { newId, type Clock, type RelayedReply } from '@causeway/chassis'
import {
  actorOf,
  mayCallInPortal,
  HELD,
  type Caller,
  type ErrorCode,
  type Operation,
  type PendingAction,
  type Principal,
} from '@causeway/contracts'
import type { Ask } from '@causeway/screens'
import type { Identity } from '../auth/identity.ts'
import { operationEndpoints, type OperationEndpoint } from '../http/endpoint.ts'
import { parseIdempotencyKey } from '../http/idempotency-key.ts'
import type { CheckedRequest } from '../pipeline/request-checks.ts'
import type { Places } from '../pipeline/places.ts'
import { lacksRole } from '../pipeline/role-check.ts'
import type { StaffActions } from '../pipeline/staff-actions.ts'
import { take, type Buckets } from '../rate-limits/token-bucket.ts'
import type { OperationRoute } from '@causeway/contracts/http'

export type SessionAskOptions = Readonly<{
  clock: Clock
  /** Every operation of the API. */
  operations: readonly OperationRoute[]
  /** Executes an operation as for a request of the API, with the audit log of staff. */
  dispatch: (checked: CheckedRequest) => Promise<RelayedReply>
  places: Places
  recordRefusal: StaffActions['recordRefusal']
  /** Rate limits by session's principal: a page may ask for several operations. */
  buckets: Buckets
}>

const callerOf = (principal: Principal, actor: string): Caller =>
  principal.kind === 'merchant'
    ? { kind: 'merchant', merchantId: principal.merchantId }
    : { kind: 'operator', actor }

/** The caller that services and the audit log see: the same as of a request of the API. */
const identityOf = (principal: Principal, bucket: Identity['bucket']): Identity => {
  const client = actorOf(principal)
  const callerJson = JSON.stringify(callerOf(principal, client))
  return {
    client,
    callerJson,
    callerWithDefaultsJson: callerJson,
    callerWithLimitsJson: callerJson,
    scopes: null,
    role: principal.kind === 'staff' ? principal.role : null,
    addressRule: null,
    bucket,
    actor: principal.kind === 'merchant' ? null : client,
  }
}

/**
 * Checks whether an operation exists for a session: staff's for staff, merchants' for a merchant, and for the people of a
 * partner those of staff that the route table opens to them, for their partner only. Roles of people are in a table of the
 * contracts (decisions §56); sessions of links have none.
 */
const isThereFor = (principal: Principal, { route }: OperationEndpoint, params: unknown): boolean => {
  const { caller } = route.operation
  if (principal.kind === 'staff') return caller === 'operator'
  if (principal.kind === 'merchant') return caller === 'merchant'
  return route.portal && (params as { partnerId?: unknown }).partnerId === principal.partnerId
}

/** True if the person of a session has a role that may not call an operation. */
const lacksPortalRole = (
  { person }: Exclude<Principal, { kind: 'staff' }>,
  { subject }: Operation,
): boolean => person !== undefined && !mayCallInPortal(person.role, subject)

const jsonOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value)

/** The id of the pending action where a reply says that there is one. */
const heldIdOf = (answer: RelayedReply): string | null => {
  if (!answer.ok || answer.variant !== HELD) return null
  const { pending_action: action } = JSON.parse(Buffer.from(answer.data).toString('utf8')) as {
    pending_action: PendingAction
  }
  return action.pending_action_id
}

const takesQuery = ({ queryNames }: OperationEndpoint) => queryNames.length > 0

const refused = (
  code: 'resource_not_found' | 'rate_limited' | 'temporarily_unavailable' | 'insufficient_scope',
) => ({ ok: false, code }) as const

const parseReply = (operation: Operation, reply: RelayedReply) =>
  reply.ok
    ? {
        ok: true as const,
        value: operation.reply.parse(JSON.parse(Buffer.from(reply.data).toString('utf8'))),
      }
    : { ok: false as const, code: reply.code, ...(reply.details && { details: reply.details }) }

/** The parts of a call that are checked before it is carried out. */
type Attempt = Pick<CheckedRequest, 'endpoint' | 'identity' | 'requestId' | 'paramsJson'>

/** A caller that may send a file, or the refusal. */
export type UploadCheck =
  Readonly<{ ok: true; callerJson: string }> | Readonly<{ ok: false; code: ErrorCode }>

/** Operations for sessions. */
export type SessionAsk = Readonly<{
  /** @param onHeld called with an action that waits for a second person; the screen gets a refusal */
  askAs: (principal: Principal, onHeld: (pendingActionId: string) => unknown) => Ask
  /** Checks rate limit and role of an operation before its file is read; {@link askAs} checks all of it again. */
  checkUpload: (principal: Principal, operation: Operation) => Promise<UploadCheck>
}>

/**
 * Calls operations for a session: found in the route table, checked and executed as a request of the API is, under the
 * session's principal. Each call has a separate request id, because the audit log has one action for each.
 */
export const createSessionAsk = (options: SessionAskOptions): SessionAsk => {
  const { clock, dispatch, places, recordRefusal, buckets, operations } = options
  const endpoints = operationEndpoints(operations)

  const execute = async (checked: CheckedRequest): Promise<RelayedReply> => {
    const { endpoint, identity } = checked
    if (!places.enter(endpoint.service, identity.client)) return refused('temporarily_unavailable')
    try {
      return await dispatch(checked)
    } finally {
      places.leave(endpoint.service, identity.client)
    }
  }

  const endpointOf = (operation: Operation): OperationEndpoint => {
    const endpoint = endpoints.get(operation.subject)
    if (endpoint === undefined || endpoint.route.upload)
      throw new Error(`${operation.subject} has no route that a screen can ask`)
    return endpoint
  }

  /** Checks rate limit and role. @returns the refusal, once the attempt is in the audit log; null for none */
  const refusalOf = async (
    principal: Principal,
    { endpoint, identity, requestId, paramsJson }: Attempt,
  ): Promise<'rate_limited' | 'insufficient_scope' | null> => {
    if (!take(identity.bucket, clock.nowMs())) return 'rate_limited'
    const { operation } = endpoint.route
    if (principal.kind !== 'staff') return lacksPortalRole(principal, operation) ? 'insufficient_scope' : null
    if (!lacksRole(identity, endpoint)) return null
    await recordRefusal({ requestId, operation, actor: principal.actor, paramsJson })
    return 'insufficient_scope'
  }

  const identify = (principal: Principal): Identity =>
    identityOf(principal, buckets.of(actorOf(principal), clock.nowMs()))

  const ask = async (
    principal: Principal,
    operation: Operation,
    input: Parameters<Ask>[1],
    onHeld: (pendingActionId: string) => unknown,
  ) => {
    const endpoint = endpointOf(operation)
    const identity = identify(principal)
    if (!isThereFor(principal, endpoint, input.params)) return refused('resource_not_found')
    const requestId = newId('request')
    const paramsJson = jsonOf(input.params)
    const refusal = await refusalOf(principal, { endpoint, identity, requestId, paramsJson })
    if (refusal !== null) return refused(refusal)
    const key = parseIdempotencyKey(operation, input.idempotencyKey)
    if (key?.ok === false) return { ok: false as const, code: key.code, details: key.details }
    const reply = await execute({
      requestId,
      endpoint,
      identity,
      idempotencyKey: key?.key,
      paramsJson,
      queryJson: takesQuery(endpoint) ? JSON.stringify(input.query ?? {}) : undefined,
      bodyJson: jsonOf(input.body),
    })
    const heldId = heldIdOf(reply)
    if (heldId === null) return parseReply(operation, reply)
    onHeld(heldId)
    return { ok: false as const, code: 'invalid_state' as const }
  }

  return {
    askAs: (principal, onHeld) =>
      ((operation: Operation, input: Parameters<Ask>[1]) => ask(principal, operation, input, onHeld)) as Ask,
    async checkUpload(principal, operation) {
      const endpoint = endpointOf(operation)
      const identity = identify(principal)
      if (!isThereFor(principal, endpoint, undefined)) return refused('resource_not_found')
      const attempt = { endpoint, identity, requestId: newId('request'), paramsJson: undefined }
      const code = await refusalOf(principal, attempt)
      return code === null ? { ok: true, callerJson: identity.callerJson } : { ok: false, code }
    },
  }
}
