import {
  isOutdated,
  refuse,
  type Clock,
  type Db,
  type Queryable,
  type RelayedReply,
  type Vault,
  newId,
} from '@causeway/chassis'
import type { AuditTrail } from '../audit/trail.ts'
import { LEASE_MS, resultContext, openRequest } from './request.ts'
import type { Owners, StaffCall } from './staff-call.ts'
import {
  claimPendingAction,
  endPendingAction,
  releasePendingAction,
  type PendingActionRecord,
} from './store.ts'
import { expectedJsonOf } from './preparation.ts'

/** A confirmed action with all that is needed to carry it out. */
type Confirmed = Readonly<{
  record: PendingActionRecord
  endpoint: StaffCall['endpoint']
  confirmedBy: string
  /** True if it may be carried out again after a run whose outcome is unknown. */
  isRepeatable: boolean
}>

/**
 * The original request under a new id, because the audit log has one action for each. The owner refuses it unless it
 * finds the state that the first person saw.
 */
const callOf = (vault: Vault, { record, endpoint, confirmedBy }: Confirmed): StaffCall => {
  const { paramsJson, queryJson, bodyJson, idempotencyKey, before } = openRequest(vault, record)
  const { requestedBy, requestedRole } = record
  return {
    requestId: newId('request'),
    endpoint,
    actor: requestedBy,
    role: requestedRole,
    idempotencyKey,
    paramsJson,
    queryJson,
    bodyJson,
    expectedJson: expectedJsonOf(before),
    confirmedBy,
    confirms: record.pendingActionId,
  }
}

export type CarryOutOptions = Readonly<{
  db: Db
  clock: Clock
  vault: Vault
  audit: Pick<AuditTrail, 'record'>
  owners: Owners
  /** Executes an operation of access, which ends the action in its transaction; null for one that a service owns. */
  executeOwn: (call: StaffCall) => Promise<RelayedReply> | null
}>

const LOST = refuse('invalid_state', [{ field: 'status', reason: 'decided_meanwhile' }])

/** Checks whether a repeated action was refused because the first run did it: the state is the requested one. */
const isDoneAlready = (answer: RelayedReply & Readonly<{ ok: false }>): boolean =>
  answer.code === 'invalid_state' &&
  answer.details?.[0]?.['from'] !== undefined &&
  answer.details[0]['from'] === answer.details[0]['to']

/** Faults after which provably nothing was done, or after which nobody knows: the action has not ended. */
export const isOpen = (answer: RelayedReply): boolean =>
  !answer.ok && (answer.code === 'temporarily_unavailable' || answer.code === 'internal_error')

const statusOfRefused = (answer: RelayedReply) => {
  if (isOpen(answer)) return 'unknown'
  return isOutdated(answer) ? 'outdated' : 'failed'
}

const claim = ({ clock }: CarryOutOptions, db: Queryable, confirmed: Confirmed, call: StaffCall) => {
  const now = clock.now()
  return claimPendingAction(db, {
    pendingActionId: confirmed.record.pendingActionId,
    decidedBy: confirmed.confirmedBy,
    executionId: call.requestId,
    now,
    isRepeatable: confirmed.isRepeatable,
    lapsed: new Date(now.getTime() - LEASE_MS),
  })
}

/**
 * Carries confirmed actions out, each once. An action is claimed first, and its owner is then called under the id of the
 * claim. An operation of access ends the action in the transaction of its effect, so that an action which has not ended
 * was not done. That of a service is ended afterwards: a kill between leaves it `unknown`, to be confirmed again where a
 * second run changes nothing, and to be looked at where it would.
 */
export const createCarryOut = (options: CarryOutOptions) => {
  const { db, vault, audit, owners, executeOwn } = options

  const run = async (confirmed: Confirmed, call: StaffCall): Promise<RelayedReply> => {
    const { pendingActionId, status: statusBefore } = confirmed.record
    if ((await claim(options, db, confirmed, call)) === null) return LOST
    const claimed = { pendingActionId, executionId: call.requestId }
    const own = executeOwn(call)
    const answer = await (own ?? owners.callService(call))
    const isNotDone = own === null ? !answer.ok && answer.code === 'temporarily_unavailable' : isOpen(answer)
    if (isNotDone) {
      await releasePendingAction(db, claimed)
      return answer
    }
    if (own !== null && answer.ok) return answer
    const isDone = answer.ok || (statusBefore !== 'waiting' && isDoneAlready(answer))
    await endPendingAction(db, {
      ...claimed,
      status: isDone ? 'done' : statusOfRefused(answer),
      code: answer.ok ? null : answer.code,
      // It may hold a secret.
      resultSealed: answer.ok ? vault.seal(answer.data, resultContext(pendingActionId)) : null,
    })
    return answer
  }

  /** @returns the answer of the operation, or why the action was not carried out */
  return async (confirmed: Confirmed): Promise<RelayedReply> => {
    const call = callOf(vault, confirmed)
    const { endpoint, confirmedBy, record } = confirmed
    const action = {
      requestId: call.requestId,
      operation: endpoint.route.operation,
      actor: record.requestedBy,
      confirmedBy,
      paramsJson: call.paramsJson,
    }
    const answer = await audit.record(action, () => run(confirmed, call))
    owners.logAction(call, answer)
    return answer
  }
}

export type CarryOut = ReturnType<typeof createCarryOut>
