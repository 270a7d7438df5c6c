import {
  isUniqueViolation,
  newId,
  type Clock,
  type Db,
  type Logger,
  type RelayedReply,
} from '@causeway/chassis'
import { audit, HELD, type Operation } from '@causeway/contracts'
import { targetOf, withoutSecrets } from './redaction.ts'
import { appendBeginning, appendEnd } from './store.ts'

/**
 * A request of staff.
 * @param actor whom the audit log names
 * @param confirmedBy the second person, of an action that needed one
 * @param paramsJson ids of the path, as the caller wrote them
 */
type StaffAction = Readonly<{
  requestId: string
  operation: Operation
  actor: string
  confirmedBy?: string
  paramsJson: string | undefined
}>

/** How an action ended: with the states before and after it, or with a refusal. */
export type Ending =
  Readonly<{ done: true; before: unknown; after: unknown }> | Readonly<{ done: false; code: string }>

/** The ending that a reply says. */
export const endingOf = (answer: RelayedReply): Ending => {
  if (!answer.ok) return { done: false, code: answer.code }
  const state: unknown = JSON.parse(Buffer.from(answer.data).toString('utf8'))
  const after = answer.variant === HELD ? { outcome: HELD, ...(state as object) } : state
  return { done: true, before: answer.before ?? null, after }
}

/** Records what staff do. */
export type AuditTrail = Readonly<{
  /** Records the beginning of an action. @throws when it cannot: the action must not be carried out */
  begin(action: StaffAction & Readonly<{ safe: boolean }>): Promise<void>
  /** Records the end of an action that changes something, unless it has recorded that itself. */
  end(action: Pick<StaffAction, 'requestId' | 'operation'>, ending: Ending): Promise<void>
  /** Runs an action, and records its beginning and its end. @throws when its beginning cannot be recorded */
  record(action: StaffAction, run: () => Promise<RelayedReply>): Promise<RelayedReply>
  /** Records an attempt that the role of the key does not allow. @throws when it cannot */
  recordRefusal(action: StaffAction): Promise<void>
}>

/** The constraint that an action ends once. */
const ONE_END = 'records_request_id_kind_key'
const isHeld = (after: unknown): boolean =>
  typeof after === 'object' && after !== null && 'outcome' in after && after.outcome === HELD

/**
 * The audit log of staff actions (decisions §14). The beginning of an action is recorded before it runs, with the outcome
 * `started`, so that an action whose end cannot be recorded is still in the log. Its end is recorded with the reply or the
 * refusal: operations of access do so in their transaction; other services send the state before with their reply.
 * Appends use pooled connections, because each waits for the one before it to commit. A read has one record, whose `after`
 * is null. Listing the audit log is not recorded: each page would add an entry to the list.
 */
export const createAuditTrail = (
  options: Readonly<{ db: Db; clock: Clock; log: Logger; ownSubjects: ReadonlySet<string> }>,
): AuditTrail => {
  const { db, clock, log, ownSubjects } = options

  const appendBeginningOf = (
    { requestId, operation, actor, confirmedBy, paramsJson }: StaffAction,
    after: unknown,
  ) =>
    appendBeginning(db.pooled, {
      entryId: newId('auditEntry'),
      at: clock.now(),
      actor,
      confirmedBy,
      action: operation.subject,
      target: targetOf(paramsJson),
      after,
      requestId,
    })

  const begin: AuditTrail['begin'] = async (action) => {
    if (action.operation.subject !== audit.list.subject)
      await appendBeginningOf(action, action.safe ? null : { outcome: 'started' })
  }
  const end: AuditTrail['end'] = async ({ requestId, operation }, ending) => {
    const hasRecordedItself = ending.done && !isHeld(ending.after) && ownSubjects.has(operation.subject)
    if (hasRecordedItself) return
    const before = ending.done ? withoutSecrets(ending.before) : null
    const after = ending.done ? withoutSecrets(ending.after) : { outcome: 'refused', code: ending.code }
    try {
      await appendEnd(db.pooled, { requestId, before, after })
    } catch (error) {
      // The reply was lost after the commit: the action has recorded its end in its own transaction.
      if (!isUniqueViolation(error, ONE_END)) throw error
    }
  }

  return {
    begin,
    end,
    recordRefusal: (action) => appendBeginningOf(action, { outcome: 'refused', code: 'insufficient_scope' }),
    async record(action, run) {
      await begin({ ...action, safe: false })
      const answer = await run()
      await end(action, endingOf(answer)).catch((error: unknown) =>
        log.error(
          { event: 'audit.end_not_recorded', error, requestId: action.requestId },
          'The end of a staff action could not be recorded',
        ),
      )
      return answer
    },
  }
}
