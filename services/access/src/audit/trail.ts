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

/** Records what staff do. */
export type AuditTrail = Readonly<{
  /** Runs an action, and records its beginning and its end. @throws NotDoneError when its beginning cannot be recorded */
  record(
    action: StaffAction & Readonly<{ safe: boolean }>,
    run: () => Promise<RelayedReply>,
  ): Promise<RelayedReply>
  /** Records an attempt that the role of the key does not allow. @throws NotDoneError when it cannot */
  recordRefusal(action: StaffAction): Promise<void>
}>

/** The constraint that an action ends once. */
const ONE_END = 'records_request_id_kind_key'
const stateAfter = (answer: RelayedReply): unknown => {
  if (!answer.ok) return { outcome: 'refused', code: answer.code }
  const state = withoutSecrets(JSON.parse(Buffer.from(answer.data).toString('utf8')))
  return answer.variant === HELD ? { outcome: HELD, ...(state as object) } : state
}

/**
 * The audit log of staff actions (decisions §14). The beginning of an action is recorded before it runs, with the outcome
 * `started`, so that an action whose end cannot be recorded is still in the log. Its end is recorded with the reply or the
 * refusal: the gateway's own operations do so in their transaction; other services send the state before with their reply.
 * Appends use pooled connections, because each waits for the one before it to commit. A read has one record, whose `after`
 * is null. Listing the audit log is not recorded: each page would add an entry to the list.
 */
export const createAuditTrail = (
  options: Readonly<{ db: Db; clock: Clock; log: Logger; ownSubjects: ReadonlySet<string> }>,
): AuditTrail => {
  const { db, clock, log, ownSubjects } = options

  const appendEndOf = async (requestId: string, answer: RelayedReply) => {
    try {
      const after = stateAfter(answer)
      const before = answer.ok ? withoutSecrets(answer.before ?? null) : null
      await appendEnd(db.pooled, { requestId, before, after })
    } catch (error) {
      // The reply was lost after the commit: the action has recorded its end in its own transaction.
      if (isUniqueViolation(error, ONE_END)) return
      log.error(
        { event: 'audit.end_not_recorded', error, requestId },
        'The end of a staff action could not be recorded',
      )
    }
  }
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

  return {
    recordRefusal: (action) => appendBeginningOf(action, { outcome: 'refused', code: 'insufficient_scope' }),
    async record(action, run) {
      const { safe, requestId } = action
      const { subject } = action.operation
      if (subject === audit.list.subject) return run()
      await appendBeginningOf(action, safe ? null : { outcome: 'started' })
      const answer = await run()
      const hasRecordedItself = answer.ok && answer.variant !== HELD && ownSubjects.has(subject)
      if (!safe && !hasRecordedItself) await appendEndOf(requestId, answer)
      return answer
    },
  }
}
