import { z } from 'zod'
import { Currency } from '../currencies.ts'
import { OrderKey } from '../payments/fiat-orders.ts'
import { idOf, Timestamp } from '../primitives.ts'

const MAX_SPLITS = 20
/** Processors' and banks' ids of a dispute have up to 255 characters. */
const MAX_FACT_ID_LENGTH = 320

/** Identifies a fact permanently: the id of its event, or derived from the row that it comes from. */
export const FactId = z.string().min(1).max(MAX_FACT_ID_LENGTH)

/** Amounts are in the currency's minor unit. The file of disputes states up to 12 digits. */
const Cents = z.number().int().min(0).max(999_999_999_999)
const Splits = z
  .array(z.object({ partner_customer_id: idOf('relationship'), amount_cents: Cents.min(1) }))
  .max(MAX_SPLITS)

const CardFact = z.object({
  fact_id: FactId,
  order_key: OrderKey,
  order_id: idOf('fiatOrder'),
  partner_id: idOf('partner'),
  partner_customer_id: idOf('relationship'),
  processor: z.string().min(1),
  currency: Currency,
  /** When it happened. */
  at: Timestamp,
})

/** Id of the fact that this one takes back. Its numbers are what is taken back of it. */
const reverses = FactId.nullable()

type Taken = Readonly<{ partner_fee_cents: number; splits: readonly { amount_cents: number }[] }>
const takenOf = ({ partner_fee_cents, splits }: Taken): number =>
  splits.reduce((sum, split) => sum + split.amount_cents, partner_fee_cents)

/** A card order is paid. */
export const CardPaid = CardFact.extend({
  kind: z.literal('card_paid'),
  total_cents: Cents.min(1),
  service_fee_cents: Cents,
  partner_fee_cents: Cents,
  splits: Splits,
  /** When the money becomes available. */
  available_at: Timestamp,
}).refine((fact) => fact.service_fee_cents + takenOf(fact) <= fact.total_cents, {
  path: ['total_cents'],
  error: 'Fees and splits exceed the total',
})

/** A card order is refunded, in part or whole. */
export const CardRefunded = CardFact.extend({
  kind: z.literal('card_refunded'),
  amount_cents: Cents.min(1),
  /** Shares of what was taken from the payment, which are given back to the merchant. */
  service_fee_cents: Cents,
  partner_fee_cents: Cents,
  splits: Splits,
  /** When the order's payment becomes available. */
  available_at: Timestamp,
  /** Set where a refund that was made has failed afterwards. */
  reverses,
})

/** A payment is disputed; with `reverses`, the dispute was decided for the merchant. */
export const CardDisputed = CardFact.extend({
  kind: z.literal('card_disputed'),
  amount_cents: Cents,
  /** The processor stated no amount in the order's currency: `amount_cents` is what the order still held. */
  estimated: z.boolean(),
  /** The processor's fee as the merchant bears it; null where none was stated, or where the order's price plan has one. */
  fee: z.object({ currency: Currency, amount_cents: Cents }).nullable(),
  /** The fee of the order's price plan. The processor's fee is then the platform's cost. Left out: the plan has none. */
  plan_fee_cents: Cents.optional(),
  partner_fee_cents: Cents,
  splits: Splits,
  reverses,
})
