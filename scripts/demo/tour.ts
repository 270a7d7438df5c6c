import { createApiClient, dataOf, signIn, type ApiClient } from './api-client.ts'
import { walkCardPayment } from './card-payment.ts'
import { walkCryptoPayment } from './crypto-payment.ts'
import { createExpectations } from './expectations.ts'
import type { Narrator } from './narrator.ts'
import { walkOnramp } from './onramp.ts'
import { startReceiver } from './receiver.ts'
import { control, type Scene } from './scene.ts'
import { walkVerification } from './verification.ts'

type Place = {
  baseUrl: string
  sandboxUrl: string
  operatorKey: string
  partner: { partnerId: string; clientId: string; clientSecret: string }
  /** Whether the tour may move the platform's time, which only goes forward. */
  mayMoveTime: boolean
}

/** @returns the customer's path under the partner API */
const linkCustomer = async (partner: ApiClient, mark: string): Promise<string> => {
  const wanted = { external_customer_id: `shop-${mark}`, email: `shop-${mark}@example.com` }
  const customer = dataOf<{ partner_customer_id: string }>(
    await partner.post('/api/v1/partner/customers', wanted),
  )
  return `/api/v1/partner/customers/${customer.partner_customer_id}`
}

const clientsOf = (place: Place, narrator: Narrator) => {
  const { baseUrl, partner, operatorKey } = place
  const options = { baseUrl, onAnswer: narrator.exchange }
  const sandbox = createApiClient({ ...options, baseUrl: place.sandboxUrl })
  return {
    sandbox,
    staff: createApiClient({ ...options, headers: { authorization: `Bearer ${operatorKey}` } }),
    partner: () => signIn({ ...options, clientId: partner.clientId, clientSecret: partner.clientSecret }),
    merchant: (key: string) => createApiClient({ ...options, headers: { 'x-api-key': key } }),
  }
}

/** Walks the README's tour against a running platform. @throws when any step answers otherwise than it should */
export const walkTour = async (place: Place, narrator: Narrator): Promise<void> => {
  const receiver = await startReceiver()
  const clients = clientsOf(place, narrator)
  const { staff, sandbox } = clients
  const destinations = `/api/operator/partners/${place.partner.partnerId}/webhooks`
  let webhookId: string | null = null
  try {
    narrator.step('Staff register the partner’s destination; its secret is shown once')
    const made = dataOf<{ webhook: { webhook_id: string }; webhook_secret: string }>(
      await staff.post(destinations, { url: receiver.url }),
    )
    webhookId = made.webhook.webhook_id
    receiver.trust(made.webhook_secret)

    narrator.step('The partner gets a token')
    const partner = await clients.partner()

    narrator.step('links a customer')
    const mark = Date.now().toString(36)
    const customerPath = await linkCustomer(partner, mark)
    const expect = createExpectations(receiver.deliveries, narrator)
    const scene: Scene = { partner, staff, sandbox, customerPath, mark, narrator, expect }
    await walkVerification(scene)
    await walkCryptoPayment(scene)
    await walkCardPayment(scene)
    const later = async (ms: number) => {
      await control(scene, 'clock', { advance_ms: ms })
      return clients.partner()
    }
    const merchantClient = clients.merchant
    await walkOnramp(scene, { receiver, merchantClient, later: place.mayMoveTime ? later : null })
  } finally {
    if (webhookId !== null) await staff.delete(`${destinations}/${webhookId}`)
    await receiver.stop()
  }
}
