import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@causeway/chassis'
import type { CardTraits } from '@causeway/rails/cards'
import { inTransaction } from '../database.ts'
import { SandboxError } from '../http/answers.ts'
import type { Notices } from './notices.ts'
import type { RefundBody } from './requests.ts'
import { type Payment, type Refund, REFUND_COLUMNS, RefundRow } from './rows.ts'

const FROM = `FROM card_refunds r JOIN card_payments p USING (payment_id)`

const STATEMENTS = {
  insert: `INSERT INTO card_refunds (refund_id, payment_id, idempotency_key, request, amount_cents, created_at_ms)
    VALUES (?, ?, ?, ?, ?, ?)`,
  byId: `SELECT ${REFUND_COLUMNS} ${FROM} WHERE r.refund_id = ?`,
  byKey: `SELECT ${REFUND_COLUMNS} ${FROM} WHERE r.payment_id = ? AND r.idempotency_key = ?`,
  ofPayment: `SELECT ${REFUND_COLUMNS} ${FROM} WHERE r.payment_id = ? AND r.seq > ? ORDER BY r.seq LIMIT ?`,
  between: `SELECT ${REFUND_COLUMNS} ${FROM}
    WHERE p.processor = ? AND r.created_at_ms >= ? AND r.created_at_ms < ? AND r.seq > ? ORDER BY r.seq LIMIT ?`,
  sum: `SELECT coalesce(sum(amount_cents), 0) AS cents FROM card_refunds WHERE payment_id = ? AND status <> 'failed'`,
  fail: `UPDATE card_refunds SET status = 'failed' WHERE refund_id = ? AND status = 'succeeded'`,
  isDisputed: `SELECT 1 FROM card_disputes WHERE payment_id = ?`,
} as const

const refusal = (code: string, message: string) => new SandboxError(422, code, message)

/** Refunds that the platform requests, and external ones made at the processor. */
export const createRefunds = (database: DatabaseSync, notices: Notices, clock: Clock) => {
  const prepared = Object.fromEntries(
    Object.entries(STATEMENTS).map(([name, text]) => [name, database.prepare(text)]),
  ) as Record<keyof typeof STATEMENTS, ReturnType<DatabaseSync['prepare']>>

  const refunded = (payment: Payment): number => Number(prepared.sum.get(payment.paymentId)?.['cents'] ?? 0)

  const insert = (payment: Payment, amountCents: number, key: string | null, request: string | null) => {
    if (prepared.isDisputed.get(payment.paymentId) !== undefined)
      throw refusal('disputed', 'The payment was charged back.')
    if (amountCents > payment.paidCents - refunded(payment))
      throw refusal('amount_too_large', 'More than the remaining amount of the payment.')
    const refundId = `sbr_${randomBytes(12).toString('hex')}`
    prepared.insert.run(refundId, payment.paymentId, key, request, amountCents, clock.nowMs())
    notices.add(payment, 'refund', 'refund.succeeded')
    return RefundRow.parse(prepared.byId.get(refundId))
  }

  const validate = (traits: CardTraits, payment: Payment, body: RefundBody): void => {
    if (body.order_lines !== null && !traits.orderLines)
      throw refusal('order_lines_unsupported', 'This processor cannot refund order lines.')
    if (!traits.partialRefunds && body.amount_cents !== payment.refundableCents - refunded(payment))
      throw refusal('full_value_only', 'This processor refunds only the whole remaining amount.')
  }

  return {
    /**
     * Creates one refund for each idempotency key.
     * @throws SandboxError 409 when the key was used for another refund, 422 when the processor refuses
     */
    create: (traits: CardTraits, payment: Payment, key: string, body: RefundBody): Refund =>
      inTransaction(database, () => {
        const request = JSON.stringify(body)
        const known = prepared.byKey.get(payment.paymentId, key)
        if (known === undefined) {
          validate(traits, payment, body)
          return insert(payment, body.amount_cents, key, request)
        }
        const refund = RefundRow.parse(known)
        if (refund.request !== request)
          throw new SandboxError(409, 'idempotency_key_reuse', 'The key was used for another refund.')
        return refund
      }),
    /** A refund made outside the platform, of any part of the remaining amount. */
    createExternal: (payment: Payment, amountCents: number): Refund =>
      inTransaction(database, () => insert(payment, amountCents, null, null)),
    /** A refund that had succeeded fails, as when the payer's bank sends it back: the money is the payment's again. */
    fail: (payment: Payment, refundId: string): Refund =>
      inTransaction(database, () => {
        const found = prepared.byId.get(refundId)
        const refund = found && RefundRow.parse(found)
        if (refund?.orderKey !== payment.orderKey)
          throw new SandboxError(404, 'resource_not_found', `The payment has no refund ${refundId}.`)
        if (prepared.fail.run(refundId).changes > 0) notices.add(payment, 'refund', 'refund.failed')
        return { ...refund, status: 'failed' }
      }),
    ofPayment: (payment: Payment, after: number, limit: number): Refund[] =>
      RefundRow.array().parse(prepared.ofPayment.all(payment.paymentId, after, limit)),
    between: (
      processor: string,
      [sinceMs, untilMs]: readonly [number, number],
      after: number,
      limit: number,
    ): Refund[] => RefundRow.array().parse(prepared.between.all(processor, sinceMs, untilMs, after, limit)),
  }
}

export type Refunds = ReturnType<typeof createRefunds>
