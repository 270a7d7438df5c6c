import {
  isUniqueViolation,
  newId,
  type Clock,
  type Db,
  type Logger,
  type RelayedReply,
} from '@causeway/chassis'
import { audit } from '@causeway/contracts'
import type { Admitted, RecordRefusal } from '../http/request-checks.ts'
import { appendBeginning, appendEnd } from './store.ts'

/** Wraps a staff action: recorded before it begins, and again when it is over. */
export type AuditTrail = Readonly<{
  around(admitted: Admitted, actor: string, act: () => Promise<RelayedReply>): Promise<RelayedReply>
  refused: RecordRefusal
}>

/** Keys whose values are credentials or personal data; they never enter the log. */
const SECRET_KEY = /secret|token|password|api_key/i
const PERSONAL_KEY =
  /^(email|file_name|phone|contact|directors|ubos|registered_address|additional_data|payer_email|payer_ip|ip|data)$/

const isHidden = (key: string, value: unknown): boolean =>
  (SECRET_KEY.test(key) && typeof value === 'string') || (PERSONAL_KEY.test(key) && value !== null)

/** A copy without the values of credentials and without personal data. */
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

/** Ids of the path as the caller wrote them, made fit to be stored. */
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
 * The audit log of staff actions (decisions §14). A record is appended before the action, with `after` saying that it
 * was started, so that an action whose end cannot be recorded is not lost; a second one says what the action answered,
 * or how it was refused. The gateway's own operations append theirs in their transaction; other services send the state
 * before with their reply. Appends run on connections of the pool, because each waits for the one before it. Reads change
 * nothing: their `after` is null. Reading the audit log itself leaves no entry, or paging through it would never end.
 */
export const createAuditTrail = (
  options: Readonly<{ db: Db; clock: Clock; log: Logger; ownSubjects: ReadonlySet<string> }>,
): AuditTrail => {
  const { db, clock, log, ownSubjects } = options

  const finish = async (admitted: Admitted, answer: RelayedReply) => {
    try {
      const after = stateAfter(answer)
      const before = answer.ok ? withoutSecrets(answer.before ?? null) : null
      await appendEnd(db.pooled, { requestId: admitted.requestId, before, after })
    } catch (error) {
      // The action committed although its answer was lost, and has recorded its own end.
      if (isUniqueViolation(error, ONE_END)) return
      log.error(
        { event: 'audit.end_not_recorded', error, requestId: admitted.requestId },
        'The end of a staff action could not be recorded',
      )
    }
  }

  return {
    async refused({ requestId, operation, actor, paramsJson }) {
      await appendBeginning(db.pooled, {
        entryId: newId('auditEntry'),
        at: clock.now(),
        actor,
        action: operation.subject,
        target: targetOf(paramsJson),
        after: { outcome: 'refused', code: 'insufficient_scope' },
        requestId,
      })
    },
    async around(admitted, actor, act) {
      const { operation } = admitted.endpoint.route
      if (operation.subject === audit.list.subject) return act()
      const { safe } = admitted.endpoint
      await appendBeginning(db.pooled, {
        entryId: newId('auditEntry'),
        at: clock.now(),
        actor,
        action: operation.subject,
        target: targetOf(admitted.paramsJson),
        after: safe ? null : { outcome: 'started' },
        requestId: admitted.requestId,
      })
      const answer = await act()
      const writtenByItself = answer.ok && ownSubjects.has(operation.subject)
      if (!safe && !writtenByItself) await finish(admitted, answer)
      return answer
    },
  }
}
