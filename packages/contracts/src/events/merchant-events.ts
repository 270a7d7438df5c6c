import { z } from 'zod'
import { FiatOrder, FiatOrderStatus } from '../payments/fiat-orders.ts'
import { OnrampStatus } from '../onramp/orders.ts'
import { CryptoOrderStatus } from '../payments/crypto-orders.ts'
import { Asset, Network } from '../payments/networks.ts'
import { PayoutWalletKind, PayoutWalletStatus } from '../ledger/payout-wallets.ts'
import { MerchantPayout } from '../ledger/payouts.ts'
import { DecimalString, idOf, Timestamp } from '../primitives.ts'

/**
 * Fields that the webhooks service adds to every body of the merchant channel (decisions §40). Absent only in events
 * that a version without them has stored.
 */
const MERCHANT_ENVELOPE = {
  /** Identical in all retries and redeliveries of the event, and at all webhooks. */
  eventId: idOf('event').optional(),
  occurredAt: Timestamp.optional(),
  /** Grows with every change of an object: the higher number is the later event. Numbers can be missing in between. */
  sequence: z.number().int().positive().optional(),
} as const

export const TestPayload = z.object({
  event: z.literal('test'),
  ...MERCHANT_ENVELOPE,
  order: z.object({
    id: z.string(),
    reference: z.string(),
    chain: z.string(),
    asset: z.string(),
    amount: z.string(),
    status: z.string(),
  }),
})
export type TestPayload = z.infer<typeof TestPayload>

/** `order` of a crypto order's events (spec: Payload shapes). */
export const MerchantCryptoOrder = z.strictObject({
  id: idOf('cryptoOrder'),
  reference: z.string(),
  merchantId: idOf('merchant'),
  txId: z.string().nullable(),
  blockNumber: z.number().int().nullable(),
  chain: Network,
  asset: Asset,
  amount: DecimalString,
  address: z.string(),
  depositAddress: z.string(),
  paymentUri: z.string(),
  qrUrl: z.string(),
})

/** Fields that `underpaid` adds to the order. Amounts are decimals in the asset. */
const shortfall = {
  received: DecimalString,
  expected: DecimalString,
  fees: z.strictObject({
    kind: z.string(),
    currency: z.string(),
    invoiceAmount: DecimalString,
    networkFee: DecimalString.nullable(),
    totalToSend: DecimalString,
    platformFeePercent: z.number(),
    platformFeeAmount: DecimalString,
  }),
}

/** `order` of a card order's events, without its order key. Amounts in the minor unit. */
export const MerchantFiatOrder = z.strictObject({
  id: idOf('fiatOrder'),
  integrationId: idOf('integration'),
  kind: FiatOrder.shape.kind,
  amountCents: z.number().int(),
  subtotalCents: z.number().int(),
  serviceFeePayer: FiatOrder.shape.service_fee_payer,
  serviceFeePercent: z.number(),
  serviceFeeCents: z.number().int(),
  currency: z.string(),
  status: FiatOrderStatus,
  psp: z.string(),
  pspOrderId: z.string(),
  pspStatus: z.string().nullable(),
  orderUrl: z.string(),
  returnUrl: z.string().nullable(),
  failureUrl: z.string().nullable(),
  webhookUrl: z.string(),
  merchantReference: z.string().nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp.nullable(),
  completedAt: Timestamp.nullable(),
})

/** The processor's own fields, next to `order`, under a key named after the processor. */
export const CardProcessorFields = z.strictObject({
  event: z.string(),
  project_id: z.string().nullable(),
  order_id: z.string(),
  status: z.string().nullable(),
  refunded_amount: z.number().int().nullable(),
  refund_of_order_id: z.string().nullable(),
  related_payment_link_id: z.string().nullable(),
  original_order_id: z.string().optional(),
  chargeback_order_id: z.string().optional(),
  chargeback_of_order_id: z.string().optional(),
  flags_original: z.array(z.string()).optional(),
  flags_chargeback: z.array(z.string()).optional(),
})

export type CardProcessorFields = z.infer<typeof CardProcessorFields>

const ofCard = { order: MerchantFiatOrder }
const count = z.number().int()

/** `order` of a payout's events, without its status. */
const PayoutInEvent = z.strictObject({
  id: idOf('payout'),
  amountCents: count.optional().meta({ description: 'Set for fiat' }),
  currency: z.string().optional().meta({ description: 'Set for fiat' }),
  amount: DecimalString.optional().meta({ description: 'Set for crypto: number of the asset as text' }),
  unit: z.string().optional().meta({ description: 'Set for crypto: network and asset (`ETH/USDC`)' }),
  scheduledFor: Timestamp,
  createdAt: Timestamp,
  sentAt: Timestamp.nullable(),
})

/** With further fields whose keys are named after the processor or the provider. */
const withNamed = <S extends z.ZodObject>(declared: S, named: z.ZodType) =>
  declared.catchall(named) as unknown as z.ZodType<z.infer<S> & Readonly<Record<string, unknown>>>

/** Body of a delivery to a merchant, by `event` (spec: Merchant channel). */
export const MERCHANT_EVENT_BODIES = {
  TestSent: TestPayload,
  CryptoOrderChanged: z.strictObject({
    event: z.enum(['pending', 'paid', 'cancelled', 'expired']),
    ...MERCHANT_ENVELOPE,
    order: MerchantCryptoOrder,
    /** Only with `expired`, when an onramp order has reached its time limit. */
    reason: z.literal('ramping_kyc_timeout').optional(),
    rampingOrderId: idOf('onrampOrder').optional(),
  }),
  CryptoOrderReverted: z.strictObject({
    event: z.literal('reverted'),
    ...MERCHANT_ENVELOPE,
    order: MerchantCryptoOrder.extend({ status: CryptoOrderStatus, received: DecimalString }),
  }),
  CryptoOrderUnderpaid: z.strictObject({
    event: z.literal('underpaid'),
    ...MERCHANT_ENVELOPE,
    order: MerchantCryptoOrder.extend(shortfall),
  }),
  CryptoOrderRefunded: z.strictObject({
    event: z.literal('refunded'),
    ...MERCHANT_ENVELOPE,
    order: MerchantCryptoOrder.extend({ refundedAt: Timestamp }),
  }),
  CardOrderChanged: withNamed(
    z.object({
      event: z.enum(['pending', 'paid', 'cancelled', 'expired', 'refunded']),
      ...MERCHANT_ENVELOPE,
      ...ofCard,
    }),
    CardProcessorFields,
  ),
  CardOrderDisputed: withNamed(
    z.object({
      event: z.literal('chargeback'),
      ...MERCHANT_ENVELOPE,
      ...ofCard,
      risk: z.strictObject({ ip: z.string().nullable(), ipMasked: z.string().nullable() }),
    }),
    CardProcessorFields,
  ),
  RiskAlerted: z.strictObject({
    event: z.literal('risk_alert'),
    ...MERCHANT_ENVELOPE,
    ...ofCard,
    risk: z.strictObject({
      kind: z.literal('chargeback_ip_spike'),
      ip: z.string(),
      ipMasked: z.string(),
      windowDays: count,
      thresholds: z.strictObject({
        merchantIpThreshold: count,
        platformIpThreshold: count,
        distinctMerchantsThreshold: count,
      }),
      stats: z.strictObject({ merchantCount: count, platformCount: count, distinctMerchants: count }),
      severity: z.enum(['medium', 'high']),
      message: z.string(),
    }),
  }),
  PayoutWalletChanged: z.strictObject({
    event: z.enum(['payout_wallet_added', 'payout_wallet_deleted']),
    ...MERCHANT_ENVELOPE,
    payoutWallet: z.strictObject({
      payoutWalletId: idOf('payoutWallet'),
      partnerCustomerId: idOf('relationship'),
      kind: PayoutWalletKind,
      unit: z.string(),
      /** Shortened. */
      masked: z.string(),
      status: PayoutWalletStatus,
      usableFrom: Timestamp,
    }),
  }),
  PayoutChanged: z.strictObject({
    event: z.enum(['payout_upcoming', 'payout_sent']),
    ...MERCHANT_ENVELOPE,
    order: PayoutInEvent.extend({ status: z.enum(['upcoming', 'sent']) }),
    payout: MerchantPayout.optional(),
  }),
  PayoutReturned: z.strictObject({
    event: z.literal('payout_returned'),
    ...MERCHANT_ENVELOPE,
    order: PayoutInEvent.extend({ status: z.literal('returned') }),
    payout: MerchantPayout,
  }),
  /** `data` holds, named after the provider, `<provider>OrderId` and `<provider>Webhook` too. */
  RampingStatusChanged: z.strictObject({
    event: z.literal('ramping.status_changed'),
    ...MERCHANT_ENVELOPE,
    data: withNamed(
      z.object({
        id: idOf('onrampOrder'),
        status: OnrampStatus,
        orderType: z.string().nullable(),
        fiat: z.string(),
        fiatAmount: DecimalString.nullable(),
        crypto: Asset,
        cryptoAmount: DecimalString,
        blockchain: Network,
        transactionHash: z.string().nullable(),
        orderStatusUrl: z.string().nullable(),
        reason: z.literal('kyc_timeout_72h').optional(),
      }),
      z.union([z.string(), z.strictObject({ status: OnrampStatus, order_id: z.string() })]),
    ),
  }),
  /** `data` holds `<provider>Status` too. */
  RampingKycPending: z.strictObject({
    event: z.literal('ramping.kyc_pending'),
    ...MERCHANT_ENVELOPE,
    data: withNamed(
      z.object({
        id: idOf('onrampOrder'),
        orderId: idOf('cryptoOrder'),
        originalExpiresAt: Timestamp,
        newExpiresAt: Timestamp,
        hardCapAt: Timestamp,
        ageHours: z.number(),
      }),
      OnrampStatus,
    ),
  }),
} as const
