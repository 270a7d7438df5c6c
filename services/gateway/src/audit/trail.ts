import {
  isUniqueViolation,
  newId,
  type Clock,
  type Db,
  type Logger,
  type RelayedReply,
} from '@causeway/chassis'
import { audit, type Operation } from '@causeway/contracts'
import { appendBeginning, appendEnd } from './store.ts'

/** A request of staff. @param actor whom the audit log names @param paramsJson ids of the path, as the caller wrote them */
type StaffAction = Readonly<{
  requestId: string
  operation: Operation
  actor: string
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

/** Names of fields with credentials or personal data, whose values never enter the log. */
const SECRET_KEY = /secret|token|password|api_key/i
const PERSONAL_KEY =
  /^(email|file_name|phone|contact|directors|ubos|registered_address|additional_data|payer_email|payer_ip|ip|data)$/

const isHidden = (key: string, value: unknown): boolean =>
  (SECRET_KEY.test(key) && typeof value === 'string') || (PERSONAL_KEY.test(key) && value !== null)

/** A copy with `[redacted]` for credentials and personal data. */
export const withoutSecrets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      isHidden(key, inner) ? '[redacted]' : withoutSecrets(inner),
    ]),
  )
}

/** The constraint that an action ends once. */
const ONE_END = 'records_request_id_kind_key'
const MAX_TARGET_LENGTH = 200

/** Ids of the path as the caller wrote them, cut and cleaned so that PostgreSQL can store them. */
const targetOf = (paramsJson: string | undefined): string | null =>
  paramsJson === undefined
    ? null
    : Object.values(JSON.parse(paramsJson) as Record<string, string>)
        .join('/')
        .replaceAll('\u0000', '\ufffd')
        .slice(0, MAX_TARGET_LENGTH)
        .toWellFormed()

const stateAfter = (answer: RelayedReply): unknown => {
  if (!answer.ok) return { outcome: 'refused', code: answer.code }
  return withoutSecrets(JSON.parse(Buffer.from(answer.data).toString('utf8')))
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
  const appendBeginningOf = ({ requestId, operation, actor, paramsJson }: StaffAction, after: unknown) =>
    appendBeginning(db.pooled, {
      entryId: newId('auditEntry'),
      at: clock.now(),
      actor,
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
      const hasRecordedItself = answer.ok && ownSubjects.has(subject)
      if (!safe && !hasRecordedItself) await appendEndOf(requestId, answer)
      return answer
    },
  }
}
