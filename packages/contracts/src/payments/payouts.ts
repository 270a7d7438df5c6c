import { z } from 'zod'
import { Currency } from '../currencies.ts'
import { operation, resource } from '../operation.ts'
import {
  cursorParameter,
  idOf,
  limitParameter,
  MAX_AMOUNT_CENTS,
  NextCursor,
  Timestamp,
  TimestampInput,
} from '../primitives.ts'

export const PayoutStatus = z.enum(['upcoming', 'sent'])

/** A payout to a merchant, announced by staff (decisions §14). */
export const Payout = z.object({
  payout_id: idOf('payout'),
  customer_id: idOf('merchant'),
  amount_cents: z.number().int(),
  currency: z.string(),
  status: PayoutStatus,
  scheduled_for: Timestamp,
  created_at: Timestamp,
  sent_at: Timestamp.nullable(),
})
export type Payout = z.infer<typeof Payout>

export const PayoutList = z.object({ payouts: z.array(Payout), next_cursor: NextCursor })

/** `payments.payouts` (decisions §14). */
export const payouts = resource('payments.payouts', {
  announce: operation({
    operationId: 'announcePayout',
    summary: 'Announce a payout to a merchant',
    description:
      'Use it when a payout is planned: the merchant gets `payout_upcoming`. Send an `Idempotency-Key`, so that a repetition announces no second one.',
    caller: 'operator',
    idempotent: 'optional',
    body: z.strictObject({
      customer_id: idOf('merchant'),
      amount_cents: z.number().int().min(1).max(MAX_AMOUNT_CENTS),
      currency: Currency,
      scheduled_for: TimestampInput,
    }),
    reply: z.object({ payout: Payout }),
    refusals: ['invalid_request', 'resource_not_found', 'idempotency_key_reuse'],
  }),
  list: operation({
    operationId: 'listPayouts',
    summary: 'List payouts of all merchants by their status, those first that are scheduled first',
    description: 'Use it as the queue of payouts that have to be sent: `status=upcoming`, the default.',
    caller: 'operator',
    query: z.object({
      status: PayoutStatus.default('upcoming'),
      limit: limitParameter(50, 100),
      cursor: cursorParameter,
    }),
    reply: PayoutList,
    refusals: ['invalid_cursor'],
  }),
  markSent: operation({
    operationId: 'markPayoutSent',
    summary: 'Say that a payout was sent',
    description: 'Use it when the money has left: the merchant gets `payout_sent`.',
    caller: 'operator',
    params: z.object({ payoutId: idOf('payout') }),
    reply: z.object({ payout: Payout }),
    refusals: ['invalid_state'],
  }),
})
