import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '@causeway/chassis'
import type { ReceivedPaymentFile } from '@causeway/rails/bank'
import { z } from 'zod'
import type { Payout } from '../card/settlement-rules.ts'
import { inTransaction } from '../database.ts'
import { SandboxError } from '../http/answers.ts'

const LineRow = z.object({
  lineId: z.string(),
  bookedAtMs: z.number(),
  /** A credit is positive, a debit negative. */
  amountCents: z.number(),
  currency: z.string(),
  reference: z.string().nullable(),
  counterparty: z.string().nullable(),
  returnReason: z.string().nullable(),
})
/** A line of the account. `returnReason` is set on the return of a payment. */
export type Line = z.infer<typeof LineRow>

const PaymentRow = LineRow.pick({
  lineId: true,
  amountCents: true,
  currency: true,
  counterparty: true,
}).extend({
  isReturned: z.number(),
})

/** A payment has a `message_id`, its return names it in `returns`. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS bank_payment_files (
    message_id TEXT PRIMARY KEY,
    booked_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS bank_lines (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    line_id TEXT NOT NULL UNIQUE,
    booked_at_ms INTEGER NOT NULL,
    amount_cents INTEGER NOT NULL,
    currency TEXT NOT NULL,
    reference TEXT,
    counterparty TEXT,
    message_id TEXT REFERENCES bank_payment_files (message_id),
    returns TEXT UNIQUE REFERENCES bank_lines (line_id),
    return_reason TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS bank_payments_by_reference ON bank_lines (reference) WHERE message_id IS NOT NULL;
`

const STATEMENTS = {
  insertFile: `INSERT INTO bank_payment_files (message_id, booked_at_ms) VALUES (?, ?)
    ON CONFLICT (message_id) DO NOTHING`,
  insertLine: `INSERT INTO bank_lines
      (line_id, booked_at_ms, amount_cents, currency, reference, counterparty, message_id, returns, return_reason)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  payments: `SELECT p.line_id AS lineId, p.amount_cents AS amountCents, p.currency, p.counterparty,
      r.line_id IS NOT NULL AS isReturned
    FROM bank_lines p LEFT JOIN bank_lines r ON r.returns = p.line_id
    WHERE p.reference = ? AND p.message_id IS NOT NULL ORDER BY isReturned, p.seq LIMIT 1`,
  lines: `SELECT line_id AS lineId, booked_at_ms AS bookedAtMs, amount_cents AS amountCents, currency, reference,
      counterparty, return_reason AS returnReason
    FROM bank_lines ORDER BY seq`,
} as const

/** Name of the card processors at the bank. */
const PROCESSOR = 'Sandbox Processor'

const newLineId = (): string => `sbl_${randomBytes(12).toString('hex')}`

/** The platform's account at the simulated bank. Lines are booked when the control call arrives. */
export const createAccount = (database: DatabaseSync, clock: Clock) => {
  database.exec(TABLES)
  const insertFile = database.prepare(STATEMENTS.insertFile)
  const insertLine = database.prepare(STATEMENTS.insertLine)
  const selectPayment = database.prepare(STATEMENTS.payments)
  const selectLines = database.prepare(STATEMENTS.lines)

  return {
    /**
     * Books all payments of a file. @returns the ids of their lines
     * @throws SandboxError 409 when a file with this id was booked
     */
    book: ({ messageId, payments }: ReceivedPaymentFile): string[] =>
      inTransaction(database, () => {
        if (insertFile.run(messageId, clock.nowMs()).changes === 0)
          throw new SandboxError(409, 'already_booked', `A payment file ${messageId} was booked before.`)
        return payments.map(({ endToEndId, amountCents, name }) => {
          const lineId = newLineId()
          const nowMs = clock.nowMs()
          insertLine.run(lineId, nowMs, -amountCents, 'EUR', endToEndId, name, messageId, null, null)
          return lineId
        })
      }),
    /**
     * Books the return of the oldest payment with this reference that was not returned. @returns the id of its line
     * @throws SandboxError 404 when there is no such payment, 409 when all were returned
     */
    returnPayment: (reference: string, reason: string): string =>
      inTransaction(database, () => {
        const payment = PaymentRow.optional().parse(selectPayment.get(reference))
        if (!payment)
          throw new SandboxError(
            404,
            'resource_not_found',
            `No payment with the reference ${reference} was booked.`,
          )
        if (payment.isReturned === 1)
          throw new SandboxError(409, 'already_returned', `The payment ${reference} was returned before.`)
        const { amountCents, currency, counterparty } = payment
        const lineId = newLineId()
        const values = [lineId, clock.nowMs(), -amountCents, currency, reference, counterparty] as const
        insertLine.run(...values, null, payment.lineId, reason)
        return lineId
      }),
    /** Books what a card processor pays out, or takes if the amount is negative. @returns the id of the line */
    bookPayout: ({ payoutRef, currency, amountCents }: Payout): string => {
      const lineId = newLineId()
      insertLine.run(lineId, clock.nowMs(), amountCents, currency, payoutRef, PROCESSOR, null, null, null)
      return lineId
    },
    /** All lines, oldest first. */
    lines: (): Line[] => LineRow.array().parse(selectLines.all()),
  }
}

export type Account = ReturnType<typeof createAccount>
