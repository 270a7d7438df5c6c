import { dataOf, type ApiClient } from './api-client.ts'
import { createCryptoOrder } from './crypto-payment.ts'
import { control, type Scene } from './scene.ts'

type Onramp = { id: string; status: string; checkoutUrl: string }

const HOUR_MS = 3_600_000
const TRANSACTION = `0x${'ab'.repeat(32)}`

/** What only this part of the tour needs. */
export type OnrampParts = Readonly<{
  receiver: Readonly<{ url: string; trust: (secret: string) => unknown }>
  merchantClient: (apiKey: string) => ApiClient
  /** Moves the platform's time and gives a client with a new token; null: its time is not to be moved. */
  later: ((ms: number) => Promise<ApiClient>) | null
}>

/** The merchant's own webhook, for onramp events go to merchants alone. @returns how to remove it and its key */
const listenAsMerchant = async (
  { partner, staff, customerPath, narrator }: Scene,
  { receiver, merchantClient }: OnrampParts,
): Promise<() => Promise<void>> => {
  narrator.step('The merchant registers a webhook of its own: onramp events go to merchants alone')
  const { customer_id: merchantId } = dataOf<{ customer_id: string }>(await partner.get(customerPath))
  const { api_key: key } = dataOf<{ api_key: string }>(
    await staff.post(`/api/operator/merchants/${merchantId}/api-keys`),
  )
  const merchant = merchantClient(key)
  const made = dataOf<{ id: string; webhookSecret: string }>(
    await merchant.post('/api/user/webhooks', { url: receiver.url }),
  )
  receiver.trust(made.webhookSecret)
  return async () => {
    dataOf(await merchant.delete(`/api/user/webhooks/${made.id}`))
    const { apiKeys } = dataOf<{ apiKeys: { keyId: string }[] }>(await merchant.get('/api/user/api-keys'))
    for (const { keyId } of apiKeys) dataOf(await merchant.delete(`/api/user/api-keys/${keyId}`))
  }
}

const buy = async (scene: Scene, reference: string): Promise<{ orderId: string; onramp: Onramp }> => {
  const order = await createCryptoOrder(scene, reference)
  const path = `/api/v1/partner/orders/${order.id}/onramp`
  const { onramp } = dataOf<{ onramp: Onramp }>(await scene.partner.post(path, { fiat: 'EUR' }))
  return { orderId: order.id, onramp }
}

const walkPurchase = async (scene: Scene): Promise<void> => {
  const { narrator, expect } = scene
  narrator.step('A buyer without crypto buys what the order asks for, with EUR')
  const { orderId, onramp } = await buy(scene, `onramp-${scene.mark}`)

  narrator.step('The provider takes the money, and sends the crypto')
  const concerns = { id: onramp.id }
  await control(scene, `onramp/${onramp.id}`, { status: 'paymentReceived' })
  await expect.merchantEvent('ramping.status_changed', { ...concerns, status: 'paymentReceived' })
  await control(scene, `onramp/${onramp.id}`, { status: 'complete', transaction_hash: TRANSACTION })
  await expect.merchantEvent('ramping.status_changed', { ...concerns, status: 'complete' })
  await control(scene, 'deposits', { order_id: orderId })
  await expect.partnerEvent('payment.confirmed', { order_id: orderId })
}

/** A purchase whose buyer is being verified for 72 hours, in a moment. */
const walkHardCap = async (scene: Scene, later: NonNullable<OnrampParts['later']>): Promise<void> => {
  const { narrator, expect } = scene
  narrator.step(
    'Another purchase hangs in the provider’s verification. Ten hours later the order is extended',
  )
  const { orderId, onramp } = await buy(scene, `hanging-${scene.mark}`)
  await control(scene, `onramp/${onramp.id}`, { status: 'extraVerification' })
  await expect.merchantEvent('ramping.status_changed', { id: onramp.id, status: 'extraVerification' })
  await later(10 * HOUR_MS)
  await expect.merchantEvent('ramping.kyc_pending', { id: onramp.id })

  narrator.step('At 72 hours it is cut off')
  const partner = await later(62 * HOUR_MS)
  await expect.merchantEvent('ramping.status_changed', { id: onramp.id, reason: 'kyc_timeout_72h' })
  await expect.merchantEvent('expired', { id: orderId })
  await expect.partnerEvent('payment.expired', { order_id: orderId })
  const { order } = dataOf<{ order: { status: string } }>(
    await partner.get(`/api/v1/partner/orders/${orderId}`),
  )
  if (order.status !== 'cancelled') throw new Error(`The order should be cancelled, but is ${order.status}`)
}

/** Onramp orders: one that ends well, and one that is cut off. @throws when a step answers otherwise than it should */
export const walkOnramp = async (scene: Scene, parts: OnrampParts): Promise<void> => {
  const remove = await listenAsMerchant(scene, parts)
  try {
    await walkPurchase(scene)
    if (parts.later !== null) await walkHardCap(scene, parts.later)
  } finally {
    await remove()
  }
}
