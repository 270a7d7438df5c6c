import { FiatOrderStatus, type FiatOrder, type PayableFiatOrder } from '@causeway/contracts'
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

/** The platform's page of an order (decisions §22). */
export const payUrlOf = (publicBaseUrl: string, { id }: Pick<FiatOrderRecord, 'id'>): string =>
  `${publicBaseUrl}/pay/${id}`

/** Text for the buyer of what is bought. */
export const descriptionOf = ({
  merchantReference,
  orderKey,
}: Pick<FiatOrderRecord, 'merchantReference' | 'orderKey'>): string =>
  merchantReference ?? `Order ${orderKey}`

/** @param psp the processor's public label */
export const presentFiatOrder = (order: OpenFiatOrder, psp: string, publicBaseUrl: string): FiatOrder => ({
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
  pay_url: payUrlOf(publicBaseUrl, order),
  created_at: order.createdAt.toISOString(),
  updated_at: order.updatedAt?.toISOString() ?? null,
  completed_at: order.completedAt?.toISOString() ?? null,
})

/** Presents an order to its buyer (decisions §22). */
export const presentToBuyer = (order: OpenFiatOrder): PayableFiatOrder => ({
  order_id: order.id,
  status: order.status,
  merchant_name: order.merchantName,
  description: descriptionOf(order),
  total_cents: order.totalCents,
  service_fee_cents: order.serviceFeePayer === 'customer' ? order.serviceFeeCents : 0,
  refunded_cents: order.refundedCents,
  currency: order.currency,
  order_url: order.orderUrl,
  return_url: order.completedAt !== null ? order.returnUrl : (order.failureUrl ?? order.returnUrl),
  completed_at: order.completedAt?.toISOString() ?? null,
})
