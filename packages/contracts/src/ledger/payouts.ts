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
import type { EntryKind } from './balance-entries.ts'
import { LedgerAmount, MerchantOwner } from './units.ts'

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

/** Fields of a payout's summary, each with the kind of entries that it sums (decisions §49). */
export const PAYOUT_SUMMARY_KINDS = {
  payments: 'payment',
  deposits: 'deposit',
  deposits_reverted: 'deposit_reverted',
  refunds: 'refund',
  fees_returned: 'fee_returned',
  service_fees: 'service_fee',
  partner_fees: 'partner_fee',
  splits: 'split',
  disputes: 'dispute',
  disputes_reversed: 'dispute_reversed',
  dispute_fees: 'dispute_fee',
  reserve: 'reserve',
  reserve_released: 'reserve_released',
  conversions: 'conversion',
  network_fees: 'network_fee',
  adjustments: 'adjustment',
  payouts_returned: 'payout_returned',
  payout_fee: 'payout_fee',
} as const satisfies Readonly<Record<string, EntryKind>>

type SummaryField = keyof typeof PAYOUT_SUMMARY_KINDS
const SUMMARY_FIELDS = Object.keys(PAYOUT_SUMMARY_KINDS) as SummaryField[]

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S
const camelOf = <S extends string>(field: S): Camel<S> =>
  field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<S>

/** How a payout adds up: each amount is signed as it changes the payout's, and together they are it. */
export const PayoutSummary = z.strictObject({
  ...(Object.fromEntries(SUMMARY_FIELDS.map((field) => [field, LedgerAmount])) as Record<
    SummaryField,
    typeof LedgerAmount
  >),
  /** The part that no entry covers; negative where the payout makes up for an earlier advance. */
  advance: LedgerAmount,
  /** Entries that are paid out, whole or in part. */
  entry_count: z.number().int(),
})
export type PayoutSummary = z.infer<typeof PayoutSummary>

/** The same as merchants read it. */
export const MerchantPayoutSummary = z.strictObject({
  ...(Object.fromEntries(SUMMARY_FIELDS.map((field) => [camelOf(field), LedgerAmount])) as Record<
    Camel<SummaryField>,
    typeof LedgerAmount
  >),
  advance: LedgerAmount,
  entryCount: z.number().int(),
})
export type MerchantPayoutSummary = z.infer<typeof MerchantPayoutSummary>

/** A summary with its fields in camelCase. */
export const merchantSummaryOf = (summary: PayoutSummary): MerchantPayoutSummary =>
  Object.fromEntries(
    Object.entries(summary).map(([field, value]) => [camelOf(field), value]),
  ) as MerchantPayoutSummary

/** A payout as its merchant's events have it. */
export const MerchantPayout = z.strictObject({
  payoutId: idOf('payout'),
  /** The relationship that is paid, or the merchant's own id. */
  partnerCustomerId: MerchantOwner,
  unit: z.string(),
  amountCents: z.number().int(),
  status: PayoutStatus,
  summary: MerchantPayoutSummary,
})

export const PayoutList = z.object({ payouts: z.array(Payout), next_cursor: NextCursor })

/** `ledger.payouts` (decisions §14, §49). */
export const payouts = resource('ledger.payouts', {
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
      partner_customer_id: idOf('relationship').optional().meta({
        description:
          'The relationship that is paid; without it, the merchant’s only one, else the merchant itself',
      }),
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
