import { createApiClient, dataOf, signIn, type ApiClient } from './api-client.ts'
import type { Narrator } from './narrator.ts'
import { startReceiver, type ReceivedDelivery } from './receiver.ts'
import { walkVerification } from './verification.ts'

type Place = {
  baseUrl: string
  sandboxUrl: string
  operatorKey: string
  partner: { partnerId: string; clientId: string; clientSecret: string }
}
type Order = { id: string; status: string; amount: string; asset: string }

const EVENT_WITHIN_MS = 15_000

const waitFor = async <T>(what: string, probe: () => T | undefined): Promise<T> => {
  const endsAtMs = performance.now() + EVENT_WITHIN_MS
  for (;;) {
    const found = probe()
    if (found !== undefined) return found
    if (performance.now() > endsAtMs)
      throw new Error(`${what} did not arrive within ${EVENT_WITHIN_MS / 1_000} s`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const expectEvent = async (
  deliveries: readonly ReceivedDelivery[],
  type: string,
  concerns: Readonly<Record<string, string>>,
  narrator: Narrator,
) => {
  const delivery = await waitFor(type, () =>
    deliveries.find(
      ({ event }) =>
        event.event_type === type &&
        Object.entries(concerns).every(([field, value]) => event.data[field] === value),
    ),
  )
  if (!delivery.verified) throw new Error(`The signature of ${type} is not the secret's`)
  narrator.say(`received ${type}, signature verified: ${JSON.stringify(delivery.event)}`)
}

/** @returns the customer's path under the partner API */
const linkCustomer = async (partner: ApiClient, mark: string): Promise<string> => {
  const wanted = { external_customer_id: `shop-${mark}`, email: `shop-${mark}@example.com` }
  const customer = dataOf<{ partner_customer_id: string }>(
    await partner.post('/api/v1/partner/customers', wanted),
  )
  return `/api/v1/partner/customers/${customer.partner_customer_id}`
}

/** Walks the README's tour against a running platform. @throws when any step answers otherwise than it should */
export const walkTour = async (place: Place, narrator: Narrator): Promise<void> => {
  const { baseUrl, partner } = place
  const onAnswer = narrator.exchange
  const receiver = await startReceiver()
  const staff = createApiClient({
    baseUrl,
    headers: { authorization: `Bearer ${place.operatorKey}` },
    onAnswer,
  })
  let webhookId: string | null = null
  try {
    narrator.step('Staff register the partner’s destination; its secret is shown once')
    const made = dataOf<{ webhook: { webhook_id: string }; webhook_secret: string }>(
      await staff.post(`/api/operator/partners/${partner.partnerId}/webhooks`, { url: receiver.url }),
    )
    webhookId = made.webhook.webhook_id
    receiver.trust(made.webhook_secret)

    narrator.step('The partner gets a token')
    const client = await signIn({
      baseUrl,
      clientId: partner.clientId,
      clientSecret: partner.clientSecret,
      onAnswer,
    })

    narrator.step('links a customer')
    const mark = Date.now().toString(36)
    const customerPath = await linkCustomer(client, mark)
    await walkVerification({
      partner: client,
      staff,
      customerPath,
      narrator,
      expectEvent: (type, caseId) =>
        expectEvent(receiver.deliveries, type, { verification_id: caseId }, narrator),
    })

    narrator.step('The partner creates an order')
    const { order } = dataOf<{ order: Order }>(
      await client.post(`${customerPath}/orders`, {
        reference: `invoice-${mark}`,
        network: 'ETH',
        asset: 'USDC',
        amount: 25,
        currency: 'EUR',
        email: 'buyer@example.com',
      }),
    )
    await expectEvent(receiver.deliveries, 'payment.pending', { order_id: order.id }, narrator)

    narrator.step('The buyer pays on the sandbox chain')
    const chain = createApiClient({ baseUrl: place.sandboxUrl, onAnswer })
    const deposit = await chain.post('/control/deposits', { order_id: order.id })
    if (deposit.status >= 300)
      throw new Error(`The sandbox refused the deposit: ${JSON.stringify(deposit.body)}`)
    await expectEvent(receiver.deliveries, 'payment.confirmed', { order_id: order.id }, narrator)

    narrator.step('The partner reads the list, the order and the capabilities')
    const list = dataOf<{ orders: Order[] }>(await client.get(`${customerPath}/orders?limit=5`))
    const read = dataOf<{ order: Order }>(await client.get(`/api/v1/partner/orders/${order.id}`))
    await client.get(`${customerPath}/capabilities`).then(dataOf)
    if (read.order.status !== 'paid' || list.orders[0]?.id !== order.id)
      throw new Error(`The order should be paid and first in the list, but is ${JSON.stringify(read.order)}`)
  } finally {
    if (webhookId !== null)
      await staff.delete(`/api/operator/partners/${partner.partnerId}/webhooks/${webhookId}`)
    await receiver.stop()
  }
}
