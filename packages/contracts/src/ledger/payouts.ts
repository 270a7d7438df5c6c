import { z } from 'zod'
import { Currency } from '../currencies.ts'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import {
  cursorParameter,
  DecimalString,
  idOf,
  limitParameter,
  MAX_AMOUNT_CENTS,
  NextCursor,
  text,
  Timestamp,
  TimestampInput,
} from '../primitives.ts'
import type { EntryKind } from './balance-entries.ts'
import { PayoutSchedule } from './payout-terms.ts'
import { LedgerAmount, MerchantOwner } from './units.ts'

/** `upcoming → sent → settled`, `upcoming → cancelled`, `sent or settled → returned` (decisions §49). */
export const PayoutStatus = z.enum(['upcoming', 'sent', 'settled', 'cancelled', 'returned'])
export type PayoutStatus = z.infer<typeof PayoutStatus>

const MAX_REFERENCE_LENGTH = 140
const MAX_TX_ID_LENGTH = 128
const MAX_REASON_LENGTH = 500

/** A payout to a merchant, or to a partner of what it has earned (decisions §14, §49). */
export const Payout = z.object({
  payout_id: idOf('payout'),
  /** Null for a payout to a partner. */
  customer_id: idOf('merchant').nullable(),
  /** The relationship that is paid, or the merchant itself; null for a payout to a partner. */
  partner_customer_id: MerchantOwner.nullable(),
  partner_id: idOf('partner').optional().meta({ description: 'Set for a payout to a partner' }),
  unit: z.string(),
  currency: z.string().optional().meta({ description: 'Set for fiat' }),
  amount_cents: z
    .number()
    .int()
    .optional()
    .meta({ description: 'Set for fiat: in the currency’s minor unit' }),
  amount: DecimalString.optional().meta({ description: 'Set for crypto: number of the asset as text' }),
  status: PayoutStatus,
  /** Masked. Null: not known to the platform. */
  destination: z.string().nullable(),
  /** Schedule by which it was made. */
  schedule: PayoutSchedule.nullable(),
  scheduled_for: Timestamp,
  created_at: Timestamp,
  sent_at: Timestamp.nullable(),
  settled_at: Timestamp.nullable(),
  returned_at: Timestamp.nullable(),
  return_reason: z.string().nullable(),
  reference: z.string().nullable(),
  tx_id: z.string().nullable(),
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

/** How far the signer is with a payout of crypto. */
export const PayoutTransferStatus = z.enum(['requested', 'broadcast', 'confirmed', 'failed'])
export type PayoutTransferStatus = z.infer<typeof PayoutTransferStatus>

/** Fields of a payout of crypto that staff send. */
const sending = {
  address: z
    .string()
    .nullable()
    .meta({ description: 'The whole address of a payout of crypto: compare all of it. Null for an IBAN' }),
  transfer: z
    .object({
      status: PayoutTransferStatus,
      problem: z.string().nullable().meta({ description: 'What it waits for, or why it failed' }),
    })
    .nullable()
    .meta({ description: 'Set once staff had the signer send it' }),
}

/** A payout as staff list it. */
export const ListedPayout = Payout.extend(sending)
export type ListedPayout = z.infer<typeof ListedPayout>

/** A payout as staff read it. */
export const StaffPayout = Payout.extend({ summary: PayoutSummary })

/** A payout to a merchant. */
export const AnnouncedPayout = Payout.omit({ partner_id: true }).extend({
  customer_id: idOf('merchant'),
  partner_customer_id: MerchantOwner,
})
export type AnnouncedPayout = z.infer<typeof AnnouncedPayout>

/** A payout to a customer as its partner reads it. */
export const CustomerPayout = AnnouncedPayout.extend({
  partner_customer_id: idOf('relationship'),
  summary: PayoutSummary,
})
export type CustomerPayout = z.infer<typeof CustomerPayout>

/** A payout of what a partner has earned, as the partner reads it. */
export const PartnerPayout = StaffPayout.omit({ customer_id: true, partner_customer_id: true }).extend({
  partner_id: idOf('partner'),
})
export type PartnerPayout = z.infer<typeof PartnerPayout>

/** A payout as its merchant's events have it. */
export const MerchantPayout = z.strictObject({
  payoutId: idOf('payout'),
  /** The relationship that is paid, or the merchant's own id. */
  partnerCustomerId: MerchantOwner,
  unit: z.string(),
  amountCents: z.number().int().optional().meta({ description: 'Set for fiat' }),
  amount: DecimalString.optional().meta({ description: 'Set for crypto: number of the asset as text' }),
  status: PayoutStatus,
  /** Masked. Null: not known to the platform. */
  destination: z.string().nullable(),
  settledAt: Timestamp.nullable(),
  returnedAt: Timestamp.nullable(),
  returnReason: z.string().nullable(),
  reference: z.string().nullable(),
  txId: z.string().nullable(),
  summary: MerchantPayoutSummary,
})
export type MerchantPayout = z.infer<typeof MerchantPayout>

const announced = {
  amount_cents: z.number().int().min(1).max(MAX_AMOUNT_CENTS),
  currency: Currency,
  scheduled_for: TimestampInput,
}
const payoutParams = z.object({ payoutId: idOf('payout') })
const ofMoney = { role: 'finance', tag: 'Payments', fourEyes: ['money'], repeatable: true } as const

export const PayoutList = z.object({ payouts: z.array(ListedPayout), next_cursor: NextCursor })

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
      ...announced,
    }),
    reply: z.object({ payout: AnnouncedPayout }),
    refusals: ['invalid_request', 'resource_not_found', 'idempotency_key_reuse'],
  }),
  announceToPartner: operation({
    operationId: 'announcePartnerPayout',
    http: post('/partners/:partnerId/payouts', { status: 201, ofPartner: true }),
    role: 'finance',
    tag: 'Payments',
    fourEyes: ['money'],
    summary: 'Announce a payout to a partner of what it has earned',
    description:
      'Use it to pay a partner: you transfer the money yourself, then record it as sent (`markPayoutSent`). It never exceeds what is available, and has no event. Send an `Idempotency-Key` so that a retry does not announce a second one.',
    caller: 'operator',
    idempotent: 'optional',
    params: z.object({ partnerId: idOf('partner') }),
    body: z.strictObject(announced),
    reply: z.object({ payout: Payout }),
    refusals: ['invalid_request', 'amount_exceeds_available', 'idempotency_key_reuse'],
  }),
  list: operation({
    operationId: 'listPayouts',
    http: get('/payouts'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'List the payouts to all merchants and partners by status, earliest scheduled first',
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
  get: operation({
    operationId: 'getPayoutByStaff',
    http: get('/payouts/:payoutId'),
    role: 'viewer',
    tag: 'Payments',
    summary: 'Get a payout to any merchant or partner',
    description: 'Use it for how a payout adds up: the fields of `summary` together are its amount.',
    caller: 'operator',
    params: payoutParams,
    reply: z.object({ payout: StaffPayout.extend(sending) }),
    refusals: ['resource_not_found'],
  }),
  markSent: operation({
    operationId: 'markPayoutSent',
    http: post('/payouts/:payoutId/sent'),
    ...ofMoney,
    summary: 'Record that a payout was sent',
    description: 'Use it when the money was sent: a merchant receives `payout_sent`.',
    caller: 'operator',
    params: payoutParams,
    body: z
      .strictObject({
        reference: text(MAX_REFERENCE_LENGTH)
          .optional()
          .meta({ description: 'Text by which the receiver recognises the transfer' }),
        tx_id: text(MAX_TX_ID_LENGTH)
          .optional()
          .meta({ description: 'The bank’s or the network’s id of it' }),
      })
      .optional(),
    reply: z.object({ payout: Payout }),
    refusals: ['invalid_request', 'invalid_state'],
  }),
  cancel: operation({
    operationId: 'cancelPayout',
    http: post('/payouts/:payoutId/cancel'),
    ...ofMoney,
    summary: 'Cancel a payout that was not sent',
    description:
      'Use it for a payout that must not leave: the amount is available again, and the next payout pays its entries.',
    caller: 'operator',
    params: payoutParams,
    reply: z.object({ payout: Payout }),
    refusals: ['invalid_state', 'temporarily_unavailable'],
    /** It waits for the signer, which must not send it. */
    waitsMs: 4_000,
  }),
  markReturned: operation({
    operationId: 'markPayoutReturned',
    http: post('/payouts/:payoutId/returned'),
    ...ofMoney,
    summary: 'Record that a payout came back',
    description:
      'Use it when a sent or settled payout came back: the amount is available again, and a merchant receives `payout_returned`.',
    caller: 'operator',
    params: payoutParams,
    body: z.strictObject({
      reason: text(MAX_REASON_LENGTH).meta({
        description: 'Why it came back; the merchant and the partner read it',
      }),
    }),
    reply: z.object({ payout: Payout }),
    refusals: ['invalid_request', 'invalid_state'],
  }),
})
