import { refuse, type Logger, type RelayedReply, type ServiceClient } from '@causeway/chassis'
import {
  accessAudit,
  accessGate,
  accessPayoutApprovals,
  accessRefundApprovals,
  HELD,
  type Operation,
} from '@causeway/contracts'
import type { CheckedRequest } from './request-checks.ts'
import { createAsk } from '../clients/access.ts'

/** Result of the gate: the state that the owner must find unchanged, or the answer to one that waits or is refused. */
type Begun = Readonly<{ expectedJson: string | undefined }> | Readonly<{ answer: RelayedReply }>

const bodyOf = ({ data }: RelayedReply & { ok: true }): unknown =>
  JSON.parse(Buffer.from(data).toString('utf8'))

/** An attempt of staff that their role does not allow. */
type RefusedAction = Readonly<{
  requestId: string
  operation: Operation
  actor: string
  paramsJson: string | undefined
}>

/** The gate of actions of staff, and the audit log of theirs and of partners' audited ones, which access keeps. */
export const createStaffActions = (askAccess: ServiceClient, log: Logger) => {
  const ask = createAsk(askAccess)

  /** @throws when access cannot record the beginning: the action must not be carried out */
  const begin = async (request: CheckedRequest, actor: string): Promise<Begun> => {
    const { requestId, endpoint, identity, paramsJson, queryJson, bodyJson, idempotencyKey } = request
    const { operation, ofPartner, ofMerchant } = endpoint.route
    const needsBody = operation.fourEyes.length > 0 || ofPartner || ofMerchant
    const begun = await ask(accessGate.begin, {
      request_id: requestId,
      operation: operation.subject,
      actor,
      role: identity.role,
      params_json: paramsJson,
      ...(needsBody && { query_json: queryJson, body_json: bodyJson, idempotency_key: idempotencyKey }),
    })
    if (begun.outcome === 'proceed') return { expectedJson: begun.expected_json ?? undefined }
    if (begun.outcome === 'held')
      return { answer: { ok: true, variant: HELD, data: Buffer.from(begun.reply_json) } }
    return { answer: refuse(begun.refusal.code, begun.refusal.details) }
  }

  /** Records the beginning of an action of a partner. @throws when access cannot: the action must not be carried out */
  const beginOfPartner = async ({ requestId, endpoint, identity, paramsJson }: CheckedRequest) => {
    const { subject: operation } = endpoint.route.operation
    const beginning = { request_id: requestId, operation, actor: identity.client, params_json: paramsJson }
    await ask(accessAudit.begin, beginning)
  }

  /** Records the end of an action that was carried out. Never fails: the log has its beginning. */
  const end = async ({ requestId, endpoint }: CheckedRequest, answer: RelayedReply): Promise<void> => {
    const result = answer.ok
      ? { done: true as const, before: answer.before ?? null, after: bodyOf(answer) }
      : { done: false as const, code: answer.code }
    const operation = endpoint.route.operation.subject
    await ask(accessAudit.end, { request_id: requestId, operation, result }).catch((error: unknown) =>
      log.error(
        { event: 'audit.end_not_recorded', error, requestId },
        'The end of an action could not be recorded',
      ),
    )
  }

  /** Has access approve the refund that payments has planned. @returns the answer to staff */
  const approveRefund = async (
    { requestId, bodyJson }: CheckedRequest,
    actor: string,
    answer: RelayedReply & { ok: true },
  ): Promise<RelayedReply> => {
    const approved = await askAccess(accessRefundApprovals.create, {
      request_id: requestId,
      actor,
      request_json: bodyJson,
      reply: bodyOf(answer),
    })
    return approved.ok ? answer : approved
  }

  /** Has access approve the payout that staff asked to send: access asks the ledger itself. @returns the answer to staff */
  const approvePayout = async (
    { requestId, paramsJson, bodyJson }: CheckedRequest,
    actor: string,
    answer: RelayedReply & { ok: true },
  ): Promise<RelayedReply> => {
    const approved = await askAccess(accessPayoutApprovals.create, {
      request_id: requestId,
      actor,
      params_json: paramsJson,
      request_json: bodyJson,
    })
    return approved.ok ? answer : approved
  }

  /** @throws when access cannot record it */
  const recordRefusal = async (action: RefusedAction): Promise<void> => {
    const { requestId, operation, actor, paramsJson } = action
    const attempt = { request_id: requestId, operation: operation.subject, actor, params_json: paramsJson }
    await ask(accessAudit.refuse, attempt)
  }

  return { begin, beginOfPartner, end, approveRefund, approvePayout, recordRefusal }
}

export type StaffActions = ReturnType<typeof createStaffActions>
