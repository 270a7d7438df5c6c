import { queryMany } from '@causeway/chassis'
import { OrderSettlement } from '@causeway/contracts'
import { z } from 'zod'
import { OWNERS_OF_MERCHANT } from '../relationships/store.ts'

/** An order has few lines: a payment, its refunds and disputes. */
const MOST_LINES = 100

/**
 * Lines of settlement reports about an order of the merchant, oldest first. The processor's payout and the bank's line are
 * those that name the same reference and state the same amount; the bank pays in what the payout takes out. Who receives a
 * share of another merchant's order has no payment of it.
 */
export const listSettlements = queryMany({
  name: 'order-settlements.list',
  parameters: { merchantId: 'text', orderKey: 'text' },
  text: `
    SELECT l.processor, l.line_id, l.kind, l.currency, l.gross_cents,
      CASE WHEN l.original_currency IS NOT NULL THEN jsonb_build_object('currency', l.original_currency,
        'grossCents', l.original_cents, 'rate', l.original_rate::text) END AS original, l.available_on::text, l.payout_ref,
      p.available_on::text AS paid_out_on, to_char(p.booked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS booked_on
    FROM settlement_lines AS l
    LEFT JOIN LATERAL (
      SELECT paid.available_on, (
          SELECT b.booked_at FROM bank_lines AS b
          WHERE b.reference = paid.payout_ref AND b.currency = paid.currency AND b.amount = -paid.gross_cents
            AND b.payout_id IS NULL
          ORDER BY b.booked_at LIMIT 1
        ) AS booked_at
      FROM settlement_lines AS paid
      WHERE paid.processor = l.processor AND paid.payout_ref = l.payout_ref AND paid.kind = 'payout'
        AND paid.currency = l.currency
      ORDER BY paid.line_id LIMIT 1
    ) AS p ON true
    WHERE l.order_key = :orderKey AND EXISTS (
      SELECT FROM books.journal AS j
      JOIN books.entries AS e USING (seq)
      JOIN books.accounts AS a ON a.id = e.account_id
      WHERE j.order_key = :orderKey AND e.kind = 'payment' AND a.owner_id IN (${OWNERS_OF_MERCHANT}))
    ORDER BY l.available_on, l.line_id LIMIT ${MOST_LINES}`,
  row: z.object({ ...OrderSettlement.shape }),
})
