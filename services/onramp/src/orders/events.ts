import type { EventOf, OnrampStatus } from '@causeway/contracts'
import type { OpenedPurchase } from './purchase.ts'

type Emission = Readonly<{ eventId: string; purchase: OpenedPurchase; now: Date }>

const MS_PER_HOUR = 3_600_000

export type RampingEvent = EventOf<'ramping.status_changed' | 'ramping.kyc_pending'>

/** Ramping events go to the merchant alone, to registrations without an integration (spec: Merchant channel). */
const common = ({ eventId, now }: Emission) => ({
  id: eventId,
  created_at: now.toISOString(),
  partners: [],
  fact: null,
})
const toMerchant = ({ purchase }: Emission) => ({ merchant_id: purchase.merchantId, integration_id: null })

/**
 * `ramping.status_changed` (spec: Payload shapes). Keys of the provider are prefixed with its adapter's name.
 * @param providerStatus what the provider reported last; after a timeout not the order's own status
 */
export const statusChanged = (
  emission: Emission & Readonly<{ providerStatus: OnrampStatus; reason?: 'kyc_timeout_72h' }>,
): EventOf<'ramping.status_changed'> => {
  const { purchase, providerStatus, reason } = emission
  const data = {
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
  }
  const event = 'ramping.status_changed'
  return {
    ...common(emission),
    name: event,
    merchant: { ...toMerchant(emission), event, body: { event, data } },
  }
}

/** `ramping.kyc_pending` (spec: Payload shapes). Ages in hours, to two decimals. */
export const kycPending = (emission: Emission): EventOf<'ramping.kyc_pending'> => {
  const { purchase, now } = emission
  const ageHours = (now.getTime() - purchase.createdAt.getTime()) / MS_PER_HOUR
  const data = {
    id: purchase.id,
    orderId: purchase.orderId,
    [`${purchase.provider}Status`]: purchase.status,
    originalExpiresAt: purchase.cryptoOrderExpiresAt.toISOString(),
    newExpiresAt: purchase.capAt.toISOString(),
    hardCapAt: purchase.capAt.toISOString(),
    ageHours: Math.round(ageHours * 100) / 100,
  }
  const event = 'ramping.kyc_pending'
  return {
    ...common(emission),
    name: event,
    merchant: { ...toMerchant(emission), event, body: { event, data } },
  }
}
