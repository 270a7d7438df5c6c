import { createStatementSigner, refuse, relay, type Bus, type Clock, type Logger } from '@causeway/chassis'
import {
  CryptoRefund,
  REFUND_APPROVAL_PURPOSE,
  refundApprovals,
  RefundRequest,
  type Refusal,
  type RefundApproval,
} from '@causeway/contracts'
import { z } from 'zod'

/** How long the signer may wait with it, for a lower fee or a node: as long as an action waits for the second person. */
const VALID_MS = 72 * 3_600_000

type Options = Readonly<{
  bus: Bus
  clock: Clock
  log: Logger
  timeoutMs: number
  /** APPROVAL_SIGNING_KEY; null: there is no signer. */
  approvalKey: Uint8Array | null
}>

/** The reply of an operation with which staff ask for a refund. Refunds that were sent by hand have none. */
const Requested = z.object({ refund: CryptoRefund.optional() })

/** The first field in which the refund differs from what staff asked for; null where it is what they meant. */
const differenceOf = ({ to_address, expected }: RefundRequest, refund: CryptoRefund): string | null => {
  if (refund.to_address !== to_address) return 'to_address'
  if (expected !== undefined && refund.amount !== expected.amount) return 'amount'
  return expected !== undefined && refund.from_address !== expected.from_address ? 'from_address' : null
}

/**
 * A request of staff for a refund, which payments has answered.
 * @param confirmedBy the second person, of a request that waited for one
 * @param bodyJson body of the request
 * @param reply of payments
 */
export type AnsweredRequest = Readonly<{
  requestId: string
  actor: string
  confirmedBy: string | null
  bodyJson: string | undefined
  reply: unknown
}>

const statementOf = (
  refund: CryptoRefund,
  { actor, confirmedBy }: AnsweredRequest,
  now: Date,
): RefundApproval => ({
  refund_id: refund.refund_id,
  order_id: refund.order_id,
  unattributed_money_id: refund.unattributed_money_id,
  network: refund.network,
  asset: refund.asset,
  from_address: refund.from_address,
  to_address: refund.to_address,
  amount: refund.amount,
  approved_by: actor,
  confirmed_by: confirmedBy,
  approved_at: now.toISOString(),
  expires_at: new Date(now.getTime() + VALID_MS).toISOString(),
})

/**
 * Approves refunds that payments has recorded and the signer shall send: signs what staff asked for, as payments planned
 * it, and passes it to the signer (decisions §20). Payments sends nothing that is not approved, so that a call which is
 * refused, or which still waits for a second person, approves nothing. A repeated call approves the same refund again.
 */
export const createRefundApproval = ({ bus, clock, log, timeoutMs, approvalKey }: Options) => {
  const sign = approvalKey && createStatementSigner(REFUND_APPROVAL_PURPOSE, approvalKey)

  /** @returns why the refund was not approved; null where it was, or needs no approval */
  return async (
    request: AnsweredRequest,
  ): Promise<Refusal<'invalid_state' | 'temporarily_unavailable'> | null> => {
    if (sign === null) return null
    const { refund } = Requested.parse(request.reply)
    if (refund?.status !== 'requested') return null
    const difference = differenceOf(RefundRequest.parse(JSON.parse(request.bodyJson ?? '{}')), refund)
    if (difference !== null) {
      log.error(
        { event: 'refund.not_as_requested', refundId: refund.refund_id, field: difference },
        'Payments planned another refund than staff asked for; it is not approved',
      )
      return refuse('invalid_state', [{ reason: 'not_as_expected', field: difference }])
    }
    const statement = JSON.stringify(statementOf(refund, request, clock.now()))
    const approved = await relay(bus, clock, refundApprovals.create.subject, {
      requestId: request.requestId,
      callerJson: JSON.stringify({ kind: 'operator', actor: request.actor }),
      timeoutMs,
      safe: true,
      bodyJson: JSON.stringify({ statement, signature: sign(statement) }),
    })
    if (approved.ok) return null
    log.error(
      {
        event: 'refund.not_approved',
        refundId: refund.refund_id,
        code: approved.code,
        details: approved.details,
      },
      'The signer has not taken an approval; the same request again repeats it',
    )
    return refuse('temporarily_unavailable')
  }
}

export type ApproveRefund = ReturnType<typeof createRefundApproval>
