import type { MerchantClient, PartnerClient } from '@causeway/client'
import { dataOf } from '@causeway/dev-env/platform/raw-client'
import { createCryptoOrder } from './crypto-payment.ts'
import { control, type TourContext } from './tour-context.ts'

const HOUR_MS = 3_600_000
const TRANSACTION = `0x${'ab'.repeat(32)}`

/** Inputs of this part of the tour in addition to the context. */
export type OnrampParts = Readonly<{
  receiver: Readonly<{ url: string; trust: (secret: string) => unknown }>
  merchantClient: (apiKey: string) => MerchantClient
  /** Advances the platform's clock and returns a client with a new token; null: the clock must not be moved. */
  later: ((ms: number) => Promise<PartnerClient>) | null
}>

/** Registers a webhook of the merchant: onramp events go to merchants only. @returns removes it and its key */
const listenAsMerchant = async (
  { partner, staff, customerId, reporter }: TourContext,
  { receiver, merchantClient }: OnrampParts,
): Promise<() => Promise<void>> => {
  reporter.step('The merchant registers its webhook: onramp events are sent to merchants only')
  const { customer_id: merchantId } = await partner.getCustomer({ customerId })
  const { api_key: key } = dataOf<{ api_key: string }>(
    await staff.post(`/api/operator/merchants/${merchantId}/api-keys`),
  )
  const merchant = merchantClient(key)
  const { id: webhookId, webhookSecret } = await merchant.createWebhook({ body: { url: receiver.url } })
  receiver.trust(webhookSecret)
  return async () => {
    await merchant.deleteWebhook({ webhookId })
    const { apiKeys } = await merchant.listApiKeys()
    for (const { keyId } of apiKeys) await merchant.revokeApiKey({ keyId })
  }
}

const buy = async (context: TourContext, reference: string) => {
  const { id: orderId } = await createCryptoOrder(context, reference)
  const { onramp } = await context.partner.createOnrampOrder({ orderId, body: { fiat: 'EUR' } })
  return { orderId, onramp }
}

const walkPurchase = async (context: TourContext): Promise<void> => {
  const { reporter, expect } = context
  reporter.step('A buyer without crypto buys what the order asks for, with EUR')
  const { orderId, onramp } = await buy(context, `onramp-${context.suffix}`)

  reporter.step('The provider takes the money, and sends the crypto')
  const fields = { id: onramp.id }
  await control(context, `onramp/${onramp.id}`, { status: 'paymentReceived' })
  await expect.merchantEvent('ramping.status_changed', { ...fields, status: 'paymentReceived' })
  await control(context, `onramp/${onramp.id}`, { status: 'complete', transaction_hash: TRANSACTION })
  await expect.merchantEvent('ramping.status_changed', { ...fields, status: 'complete' })
  await control(context, 'deposits', { order_id: orderId })
  await expect.partnerEvent('payment.confirmed', { order_id: orderId })
}

/** A purchase that stays in the provider's verification for 72 hours, by moving the clock. */
const walkHardCap = async (context: TourContext, later: NonNullable<OnrampParts['later']>): Promise<void> => {
  const { reporter, expect } = context
  reporter.step(
    'Another purchase is stuck in the provider’s verification. Ten hours later the order is extended',
  )
  const { orderId, onramp } = await buy(context, `hanging-${context.suffix}`)
  await control(context, `onramp/${onramp.id}`, { status: 'extraVerification' })
  await expect.merchantEvent('ramping.status_changed', { id: onramp.id, status: 'extraVerification' })
  await later(10 * HOUR_MS)
  await expect.merchantEvent('ramping.kyc_pending', { id: onramp.id })

  reporter.step('At the hard cap of 72 hours it expires')
  const partner = await later(62 * HOUR_MS)
  await expect.merchantEvent('ramping.status_changed', { id: onramp.id, reason: 'kyc_timeout_72h' })
  await expect.merchantEvent('expired', { id: orderId })
  await expect.partnerEvent('payment.expired', { order_id: orderId })
  const { order } = await partner.getCryptoOrder({ orderId })
  if (order.status !== 'cancelled') throw new Error(`The order should be cancelled, but is ${order.status}`)
}

/** Walks one onramp order to its success and one past the hard cap. @throws when a response is not the expected one */
export const walkOnramp = async (context: TourContext, parts: OnrampParts): Promise<void> => {
  const remove = await listenAsMerchant(context, parts)
  try {
    await walkPurchase(context)
    if (parts.later !== null) await walkHardCap(context, parts.later)
  } finally {
    await remove()
  }
}
