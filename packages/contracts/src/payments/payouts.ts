import { z } from 'zod'
import { Currency } from '../currencies.ts'
import { get, post } from '../http/methods.ts'
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
    http: post('/payouts', { status: 201 }),
    role: 'finance',
    tag: 'Payments',
    fourEyes: ['money'],
    summary: 'Announce a payout to a merchant',
    description:
      'Use it when a payout is planned: the merchant receives `payout_upcoming`. Send an `Idempotency-Key` so that a retry does not announce a second one.',
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
    http: get('/payouts'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List the payouts of all merchants by status, earliest scheduled first',
    description: 'Use it as the queue of payouts to send: `status=upcoming`, the default.',
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
    http: post('/payouts/:payoutId/sent'),
    role: 'finance',
    tag: 'Payments',
    fourEyes: ['money'],
    repeatable: true,
    summary: 'Record that a payout was sent',
    description: 'Use it when the money was sent: the merchant receives `payout_sent`.',
    caller: 'operator',
    params: z.object({ payoutId: idOf('payout') }),
    reply: z.object({ payout: Payout }),
    refusals: ['invalid_state'],
  }),
})
