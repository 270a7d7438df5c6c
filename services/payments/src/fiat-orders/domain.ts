import { FiatOrderStatus, type FiatOrder } from '@causeway/contracts'
import { z } from 'zod'

const StoredSplit = z.object({
  partner_customer_id: z.string(),
  amount_cents: z.number(),
  reference: z.string().nullable(),
})

/** A card order as it is stored. Amounts in the currency's minor unit. */
export const FiatOrderRecord = z.object({
  id: z.string(),
  orderKey: z.number(),
  partnerId: z.string(),
  partnerCustomerId: z.string(),
  merchantId: z.string(),
  integrationId: z.string(),
  /** The merchant's name as payers see it. */
  merchantName: z.string(),
  kind: z.enum(['order', 'payment_link']),
  status: FiatOrderStatus,
  currency: z.string(),
  totalCents: z.number(),
  amountCents: z.number(),
  serviceFeeCents: z.number(),
  serviceFeePercent: z.coerce.number(),
  serviceFeePayer: z.enum(['customer', 'merchant']),
  partnerFeeCents: z.number(),
  splits: z.array(StoredSplit),
  refundedCents: z.number(),
  chargebackCents: z.number(),
  /** Sum of what its refunds and disputes have taken back; unlike `refundedCents` it counts those of a disputed order too. */
  reversedCents: z.number(),
  /** By its price plan, in its currency; null: its disputes cost what the processor charges. */
  disputeFeeCents: z.number().nullable(),
  merchantReference: z.string().nullable(),
  processor: z.string(),
  processorOrderId: z.string().nullable(),
  processorStatus: z.string().nullable(),
  orderUrl: z.string().nullable(),
  returnUrl: z.string().nullable(),
  failureUrl: z.string().nullable(),
  createdAt: z.date(),
  updatedAt: z.date().nullable(),
  completedAt: z.date().nullable(),
})
export type FiatOrderRecord = Readonly<z.infer<typeof FiatOrderRecord>>

/** An order whose checkout is open; others are never shown. */
export type OpenFiatOrder = FiatOrderRecord & Readonly<{ processorOrderId: string; orderUrl: string }>

export const isOpen = (order: FiatOrderRecord): order is OpenFiatOrder =>
  order.processorOrderId !== null && order.orderUrl !== null

/** Orders without shares look as they did before there were shares (decisions §52). */
const sharesOf = ({
  partnerFeeCents,
  splits,
}: FiatOrderRecord): Pick<FiatOrder, 'partner_fee_cents' | 'splits'> =>
  partnerFeeCents === 0 && splits.length === 0
    ? {}
    : { partner_fee_cents: partnerFeeCents, splits: [...splits] }

/** @param psp the processor's public label */
export const presentFiatOrder = (order: OpenFiatOrder, psp: string): FiatOrder => ({
  order_key: String(order.orderKey),
  order_id: order.id,
  partner_customer_id: order.partnerCustomerId,
  integration_id: order.integrationId,
  kind: order.kind,
  status: order.status,
  total_cents: order.totalCents,
  amount_cents: order.amountCents,
  service_fee_cents: order.serviceFeeCents,
  service_fee_percent: order.serviceFeePercent,
  service_fee_payer: order.serviceFeePayer,
  ...sharesOf(order),
  refunded_cents: order.refundedCents,
  chargeback_cents: order.chargebackCents,
  merchant_reference: order.merchantReference,
  currency: order.currency,
  psp,
  order_url: order.orderUrl,
  created_at: order.createdAt.toISOString(),
  updated_at: order.updatedAt?.toISOString() ?? null,
  completed_at: order.completedAt?.toISOString() ?? null,
})
