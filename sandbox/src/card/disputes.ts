import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@causeway/chassis'
import type { CardTraits } from '@causeway/rails/cards'
import { inTransaction } from '../database.ts'
import { SandboxError } from '../http/answers.ts'
import type { Notices } from './notices.ts'
import { type Dispute, DISPUTE_COLUMNS, DisputeRow, type Payment } from './rows.ts'

/** The processor's fee for a dispute, in the settlement currency of all sandbox merchants. */
export const DISPUTE_FEE = { cents: 1_500, currency: 'EUR' } as const

const FROM = `FROM card_disputes d JOIN card_payments p USING (payment_id)`

const STATEMENTS = {
  insert: `INSERT INTO card_disputes (dispute_id, payment_id, amount_cents, currency, opened_at_ms)
    VALUES (?, ?, ?, ?, ?) ON CONFLICT (payment_id) DO NOTHING`,
  ofPayment: `SELECT ${DISPUTE_COLUMNS} ${FROM} WHERE d.payment_id = ?`,
  ofProcessor: `SELECT ${DISPUTE_COLUMNS} ${FROM} WHERE p.processor = ? ORDER BY d.seq`,
} as const

/** Undefined: the whole payment in its currency; null: the processor states no amount. */
export type StatedAmount = { cents: number | null | undefined; currency: string | undefined }

const amountOf = (traits: CardTraits, payment: Payment, stated: StatedAmount) => {
  if (!traits.disputeAmounts || stated.cents === null) return { cents: null, currency: null }
  return { cents: stated.cents ?? payment.paidCents, currency: stated.currency ?? payment.currency }
}

/** A payment has at most one dispute; opening it again returns the first. */
export const createDisputes = (database: DatabaseSync, notices: Notices, clock: Clock) => {
  const insert = database.prepare(STATEMENTS.insert)
  const ofPayment = database.prepare(STATEMENTS.ofPayment)
  const ofProcessor = database.prepare(STATEMENTS.ofProcessor)

  return {
    /**
     * Opens the payment's dispute, or returns the one it has and sends its notice again.
     * @throws SandboxError 409 when the payment is unpaid
     */
    open: (traits: CardTraits, payment: Payment, stated: StatedAmount): Dispute => {
      if (payment.paidCents === 0)
        throw new SandboxError(409, 'not_paid', 'Only a paid payment can be disputed.')
      const { cents, currency } = amountOf(traits, payment, stated)
      const disputeId = `sbd_${randomBytes(12).toString('hex')}`
      inTransaction(database, () => {
        insert.run(disputeId, payment.paymentId, cents, currency, clock.nowMs())
        if (traits.disputeNotices === 'notices') notices.add(payment, 'dispute', 'dispute.opened')
      })
      return DisputeRow.parse(ofPayment.get(payment.paymentId))
    },
    ofPayment: (payment: Payment): Dispute[] => DisputeRow.array().parse(ofPayment.all(payment.paymentId)),
    ofProcessor: (processor: string): Dispute[] => DisputeRow.array().parse(ofProcessor.all(processor)),
  }
}

export type Disputes = ReturnType<typeof createDisputes>
