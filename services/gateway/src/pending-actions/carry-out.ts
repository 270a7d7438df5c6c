import {
  refuse,
  type Clock,
  type Db,
  type Implementation,
  type Queryable,
  type RelayedReply,
  type Transaction,
  type Vault,
} from '@causeway/chassis'
import type { AuditTrail } from '../audit/trail.ts'
import type { ChangeFeed } from '../change-feed/change-feed.ts'
import { nextRevision } from '../change-feed/store.ts'
import type { GatewayContext } from '../context.ts'
import type { ActionLog } from '../dispatch/action-log.ts'
import type { Call } from '../dispatch/call.ts'
import type { Executor } from '../dispatch/dispatch.ts'
import { callOf, type Confirmed } from './confirmed.ts'
import { LEASE_MS, resultContext } from './request.ts'
import { claimPendingAction, endPendingAction, releasePendingAction } from './store.ts'

export type CarryOutOptions = Readonly<{
  db: Db
  clock: Clock
  vault: Vault
  changeFeed: ChangeFeed
  audit: Pick<AuditTrail, 'record'>
  executor: Executor
  logAction: ActionLog
  /** The gateway's own operations, over a database and a change feed of the caller's choice. */
  ownOperations: (context: Pick<GatewayContext, 'db' | 'changeFeed'>) => readonly Implementation[]
}>

const LOST = refuse('invalid_state', [{ field: 'status', reason: 'decided_meanwhile' }])

/** Whether a repeated action was refused because the first run has done it: the state is the one that was asked for. */
const isDoneAlready = (answer: RelayedReply & Readonly<{ ok: false }>): boolean =>
  answer.code === 'invalid_state' &&
  answer.details?.[0]?.['from'] !== undefined &&
  answer.details[0]['from'] === answer.details[0]['to']

/** Whether the service refused because what was asked about changed after it was compared. */
const isOutdated = (answer: RelayedReply): boolean =>
  !answer.ok &&
  answer.code === 'invalid_state' &&
  ['modified', 'not_as_expected'].includes(String(answer.details?.[0]?.['reason']))

/** Faults after which provably nothing was done, or after which nobody knows: the action has not ended. */
const isOpen = (answer: RelayedReply): boolean =>
  !answer.ok && (answer.code === 'temporarily_unavailable' || answer.code === 'internal_error')

const statusOfRefused = (answer: RelayedReply) => {
  if (isOpen(answer)) return 'unknown'
  return isOutdated(answer) ? 'outdated' : 'failed'
}

const claim = ({ clock }: CarryOutOptions, tx: Queryable, confirmed: Confirmed, call: Call) => {
  const now = clock.now()
  return claimPendingAction(tx, {
    pendingActionId: confirmed.record.pendingActionId,
    decidedBy: confirmed.confirmedBy,
    executionId: call.requestId,
    now,
    isRepeatable: confirmed.rule.isRepeatable ?? false,
    lapsed: new Date(now.getTime() - LEASE_MS),
  })
}

type Ended = Readonly<{
  call: Call
  answer: RelayedReply
  status: 'done' | 'failed' | 'unknown' | 'outdated'
}>

/** Records how an action ended, with its answer, which may hold a secret. */
const end = (
  { vault }: CarryOutOptions,
  tx: Queryable,
  { record: { pendingActionId } }: Confirmed,
  { call, answer, status }: Ended,
) =>
  endPendingAction(tx, {
    pendingActionId,
    executionId: call.requestId,
    status,
    code: answer.ok ? null : answer.code,
    resultSealed: answer.ok ? vault.seal(answer.data, resultContext(pendingActionId)) : null,
  })

/**
 * Carries confirmed actions out, each once. One of the gateway's own commits with the confirmation and its result in one
 * transaction: a kill leaves either all of it or an action that still waits. One of a service is claimed first and
 * recorded afterwards: a kill between leaves it `unknown`, to be confirmed again where a second run changes nothing, and
 * to be looked at where it would.
 */
export const createCarryOut = (options: CarryOutOptions) => {
  const { db, vault, changeFeed, audit, executor, logAction, ownOperations } = options
  const ownSubjects = new Set(ownOperations(options).map(({ operation }) => operation.subject))

  const runOwn = async (confirmed: Confirmed, call: Call): Promise<RelayedReply> => {
    // A refusal that the work returns rolls everything back; an answer that ends the action is inside an object.
    const inOneTransaction = async (tx: Transaction) => {
      if ((await claim(options, tx, confirmed, call)) === null) return LOST
      const implementation = ownOperations({
        db: { ...db, transaction: (work) => work(tx) },
        changeFeed: { ...changeFeed, transaction: async (work) => work(tx, await nextRevision(tx)) },
      }).find(({ operation }) => operation.subject === confirmed.record.action)
      if (implementation === undefined) throw new Error('An own operation is gone')
      const answer = await executor.executeOwn(implementation, call)
      if (isOpen(answer)) return answer
      await end(options, tx, confirmed, { call, answer, status: answer.ok ? 'done' : 'failed' })
      return { answer }
    }
    const outcome = await db.transaction(inOneTransaction)
    await changeFeed.changed()
    return 'answer' in outcome ? outcome.answer : outcome
  }

  const runInService = async (confirmed: Confirmed, call: Call): Promise<RelayedReply> => {
    const isRepeated = confirmed.record.status !== 'waiting'
    if ((await claim(options, db, confirmed, call)) === null) return LOST
    const answer = await executor.callService(call)
    const { pendingActionId } = confirmed.record
    if (!answer.ok && answer.code === 'temporarily_unavailable') {
      await releasePendingAction(db, { pendingActionId, executionId: call.requestId })
      return answer
    }
    const isDone = answer.ok || (isRepeated && isDoneAlready(answer))
    await end(options, db, confirmed, { call, answer, status: isDone ? 'done' : statusOfRefused(answer) })
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
      safe: false,
    }
    const answer = await audit.record(action, async () => {
      const run = ownSubjects.has(record.action) ? runOwn : runInService
      return run(confirmed, call)
    })
    logAction(call, answer)
    return answer
  }
}

export type CarryOut = ReturnType<typeof createCarryOut>
