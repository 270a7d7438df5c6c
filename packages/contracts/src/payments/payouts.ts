import { z } from 'zod'
import { Currency } from '../currencies.ts'
import { operation, resource } from '../operation.ts'
import { idOf, MAX_AMOUNT_CENTS, Timestamp, TimestampInput } from '../primitives.ts'

/** A payout to a merchant, announced by staff (decisions §14). */
export const Payout = z.object({
  payout_id: idOf('payout'),
  customer_id: idOf('merchant'),
  amount_cents: z.number().int(),
  currency: z.string(),
  status: z.enum(['upcoming', 'sent']),
  scheduled_for: Timestamp,
  created_at: Timestamp,
  sent_at: Timestamp.nullable(),
})
export type Payout = z.infer<typeof Payout>

/** `payments.payouts` (decisions §14). */
export const payouts = resource('payments.payouts', {
  announce: operation({
    summary: 'Announce a payout to a merchant',
    caller: 'operator',
    body: z.strictObject({
      customer_id: idOf('merchant'),
      amount_cents: z.number().int().min(1).max(MAX_AMOUNT_CENTS),
      currency: Currency,
      scheduled_for: TimestampInput,
    }),
    reply: z.object({ payout: Payout }),
    refusals: ['invalid_request', 'resource_not_found'],
  }),
  markSent: operation({
    summary: 'Say that a payout was sent',
    caller: 'operator',
    params: z.object({ payoutId: idOf('payout') }),
    reply: z.object({ payout: Payout }),
    refusals: ['invalid_state'],
  }),
})
