import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@causeway/chassis'
import type { CardPaymentStatus } from '@causeway/rails/cards'
import { inTransaction } from '../database.ts'
import { SandboxError } from '../http/answers.ts'
import { createSignal } from '../signal.ts'
import type { Notices } from './notices.ts'
import type { CheckoutBody } from './requests.ts'
import { type Payment, PAYMENT_COLUMNS, PaymentRow } from './rows.ts'

/** Wrong codes that a payer may enter before the bank declines. */
const CHALLENGES = 3

const STATEMENTS = {
  insert: `INSERT INTO card_payments (payment_id, processor, idempotency_key, request, page_token, order_key,
      total_cents, refundable_cents, currency, merchant_name, description, return_url, failure_url, notice_url,
      payer_email, status, paid_cents, challenges_left, created_at_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'new', 0, 0, ?)
    ON CONFLICT (processor, idempotency_key) DO NOTHING`,
  byKey: `SELECT ${PAYMENT_COLUMNS} FROM card_payments WHERE processor = ? AND idempotency_key = ?`,
  byId: `SELECT ${PAYMENT_COLUMNS} FROM card_payments WHERE payment_id = ?`,
  byToken: `SELECT ${PAYMENT_COLUMNS} FROM card_payments WHERE page_token = ?`,
  byOrderKey: `SELECT ${PAYMENT_COLUMNS} FROM card_payments WHERE order_key = ? ORDER BY seq DESC LIMIT 1`,
  setStatus: `UPDATE card_payments SET status = ?, paid_cents = max(paid_cents, ?), currency = coalesce(?, currency)
    WHERE payment_id = ?`,
  setPayer: `UPDATE card_payments SET payer_ip = coalesce(?, payer_ip), payer_email = coalesce(?, payer_email)
    WHERE payment_id = ?`,
  setChallenges: `UPDATE card_payments SET challenges_left = ? WHERE payment_id = ?`,
  disputeAt: `UPDATE card_payments SET dispute_due_at_ms = ? WHERE payment_id = ?`,
  dueForDispute: `UPDATE card_payments SET dispute_due_at_ms = NULL WHERE dispute_due_at_ms <= ?
    RETURNING payment_id AS paymentId`,
} as const

/** The payments of both processors. */
export const createPayments = (database: DatabaseSync, notices: Notices, clock: Clock) => {
  const prepared = Object.fromEntries(
    Object.entries(STATEMENTS).map(([name, text]) => [name, database.prepare(text)]),
  ) as Record<keyof typeof STATEMENTS, ReturnType<DatabaseSync['prepare']>>
  const added = createSignal()

  const parse = (row: unknown): Payment | null => (row === undefined ? null : PaymentRow.parse(row))
  const byId = (paymentId: string): Payment | null => parse(prepared.byId.get(paymentId))

  return {
    /** Notified when a payment was inserted. */
    added,
    byId,
    byToken: (token: string): Payment | null => parse(prepared.byToken.get(token)),
    /** The latest one: an order's checkouts share the key when the platform opened more than one. */
    byOrderKey: (orderKey: string): Payment | null => parse(prepared.byOrderKey.get(orderKey)),
    /**
     * Opens one checkout for each idempotency key.
     * @throws SandboxError 409 when the key was used for another checkout
     */
    create: (processor: string, key: string, body: CheckoutBody): Payment => {
      const request = JSON.stringify(body)
      prepared.insert.run(
        `sbp_${randomBytes(12).toString('hex')}`,
        processor,
        key,
        request,
        randomBytes(24).toString('base64url'),
        body.order_key,
        body.total_cents,
        body.refundable_cents,
        body.currency,
        body.merchant_name,
        body.description,
        body.return_url,
        body.failure_url,
        body.notice_url,
        body.payer_email,
        clock.nowMs(),
      )
      const payment = PaymentRow.parse(prepared.byKey.get(processor, key))
      if (payment.request !== request)
        throw new SandboxError(409, 'idempotency_key_reuse', 'The key was used for another checkout.')
      added.notify()
      return payment
    },
    /** Changes the status and queues its notice. `paidCents` never decreases, whatever status follows. */
    setStatus: (
      payment: Payment,
      status: CardPaymentStatus,
      captured: { cents?: number | undefined; currency?: string | undefined } = {},
    ): Payment => {
      inTransaction(database, () => {
        const paidCents = status === 'completed' ? (captured.cents ?? payment.totalCents) : 0
        prepared.setStatus.run(status, paidCents, captured.currency ?? null, payment.paymentId)
        notices.add(payment, 'payment', `payment.${status}`)
      })
      return { ...payment, ...byId(payment.paymentId) }
    },
    /** Null leaves a value unchanged. */
    setPayer: (payment: Payment, payer: { ip: string | null; email: string | null }): Payment => {
      prepared.setPayer.run(payer.ip, payer.email, payment.paymentId)
      return { ...payment, ...byId(payment.paymentId) }
    },
    /** Requires a challenge code from now on. */
    startChallenge: (payment: Payment): void =>
      void prepared.setChallenges.run(CHALLENGES, payment.paymentId),
    /** @returns the remaining attempts; 0 ends the challenge */
    countFailedChallenge: (payment: Payment): number => {
      const left = payment.challengesLeft - 1
      prepared.setChallenges.run(left, payment.paymentId)
      return left
    },
    /** Schedules a dispute of the payment. */
    disputeAt: (payment: Payment, atMs: number): void => void prepared.disputeAt.run(atMs, payment.paymentId),
    /** Payments whose scheduled dispute is due; each is returned once. */
    claimDueForDispute: (nowMs: number): Payment[] =>
      prepared.dueForDispute
        .all(nowMs)
        .map(({ paymentId }) => byId(String(paymentId)))
        .filter((payment) => payment !== null),
  }
}

export type Payments = ReturnType<typeof createPayments>
