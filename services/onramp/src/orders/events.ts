import type { DomainEvent, MerchantEvent, OnrampStatus } from '@causeway/contracts'
import type { OpenedPurchase } from './purchase.ts'

type Told = Readonly<{ eventId: string; purchase: OpenedPurchase; now: Date }>

const MS_PER_HOUR = 3_600_000

/** Ramping events go to the merchant alone, to registrations without an integration (spec: Merchant channel). */
const rampingEvent = (
  { eventId, purchase, now }: Told,
  event: Extract<MerchantEvent, `ramping.${string}`>,
  data: Readonly<Record<string, unknown>>,
): DomainEvent => ({
  id: eventId,
  name: event,
  created_at: now.toISOString(),
  partners: [],
  merchant: {
    merchant_id: purchase.merchantId,
    integration_id: null,
    event,
    body: { event, data },
  },
  fact: null,
})

/**
 * `ramping.status_changed` (spec: Payload shapes). Keys of the provider bear its adapter's name.
 * @param providerStatus what the provider itself said last; another than the order's own after a timeout
 */
export const statusChanged = (
  told: Told & Readonly<{ providerStatus: OnrampStatus; reason?: 'kyc_timeout_72h' }>,
): DomainEvent => {
  const { purchase, providerStatus, reason } = told
  return rampingEvent(told, 'ramping.status_changed', {
    id: purchase.id,
    [`${purchase.provider}OrderId`]: purchase.providerOrderId,
    status: purchase.status,
    orderType: purchase.orderType,
    fiat: purchase.fiat,
    fiatAmount: purchase.fiatAmount,
    crypto: purchase.crypto,
    cryptoAmount: purchase.cryptoAmount,
    blockchain: purchase.blockchain,
    transactionHash: purchase.transactionHash,
    orderStatusUrl: purchase.orderStatusUrl,
    [`${purchase.provider}Webhook`]: { status: providerStatus, order_id: purchase.providerOrderId },
    ...(reason !== undefined && { reason }),
  })
}

/** `ramping.kyc_pending` (spec: Payload shapes). Ages in hours, to two decimals. */
export const kycPending = (told: Told): DomainEvent => {
  const { purchase, now } = told
  const ageHours = (now.getTime() - purchase.createdAt.getTime()) / MS_PER_HOUR
  return rampingEvent(told, 'ramping.kyc_pending', {
    id: purchase.id,
    orderId: purchase.orderId,
    [`${purchase.provider}Status`]: purchase.status,
    originalExpiresAt: purchase.invoiceExpiresAt.toISOString(),
    newExpiresAt: purchase.capAt.toISOString(),
    hardCapAt: purchase.capAt.toISOString(),
    ageHours: Math.round(ageHours * 100) / 100,
  })
}
