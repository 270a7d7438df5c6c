import { dataOf } from './api-client.ts'
import { control, type Scene } from './scene.ts'

type Order = { order_key: string; order_url: string; status: string; chargeback_cents: number }

const REFUND_CENTS = 4_000
const PAGE_TIMEOUT_MS = 15_000

/** Fills in the hosted card page, as the buyer's browser does. @throws unless the page sends the buyer on */
const payOnHostedPage = async (orderUrl: string, narrator: Scene['narrator']): Promise<void> => {
  const card = { email: 'buyer@example.com', card_number: '4242 4242 4242 4242', expiry: '04/40', cvc: '123' }
  const answer = await fetch(orderUrl, {
    method: 'POST',
    body: new URLSearchParams(card),
    redirect: 'manual',
    signal: AbortSignal.timeout(PAGE_TIMEOUT_MS),
  })
  await answer.body?.cancel()
  if (answer.status !== 303) throw new Error(`The hosted page answered ${answer.status}`)
  narrator.say(`the buyer's browser is sent on to ${String(answer.headers.get('location'))}`)
}

const createOrder = async ({ partner, customerPath, mark, narrator }: Scene): Promise<Order> => {
  narrator.step('The partner configures a checkout')
  const { integration } = dataOf<{ integration: { integration_id: string } }>(
    await partner.post(
      `${customerPath}/fiat-integrations`,
      { name: `Shop ${mark}`, return_url: 'https://shop.example/thanks' },
      { 'idempotency-key': `integration-${mark}` },
    ),
  )
  narrator.step('and creates a card order of 100 EUR; the service fee is the buyer’s')
  const { order } = dataOf<{ order: Order }>(
    await partner.post(
      `${customerPath}/fiat-orders`,
      {
        integration_id: integration.integration_id,
        amount_cents: 10_000,
        currency: 'EUR',
        merchant_reference: `order-${mark}`,
        service_fee_payer: 'customer',
      },
      { 'idempotency-key': `order-${mark}` },
    ),
  )
  return order
}

/**
 * A card order that is paid on the hosted page, refunded in part and then disputed.
 * @throws when a step answers otherwise than it should
 */
export const walkCardPayment = async (scene: Scene): Promise<void> => {
  const { partner, mark, narrator, expect } = scene
  const { order_key: key, order_url: url } = await createOrder(scene)
  const path = `/api/v1/partner/fiat-orders/${key}`
  await expect.partnerEvent('payment.pending', { order_key: key })

  narrator.step('The buyer pays on the hosted page')
  await payOnHostedPage(url, narrator)
  await expect.partnerEvent('payment.confirmed', { order_key: key })

  narrator.step('The partner refunds 40 EUR')
  const refund = { amount_cents: REFUND_CENTS, description: 'One of two items came back' }
  dataOf(await partner.post(`${path}/refunds`, refund, { 'idempotency-key': `refund-${mark}` }))
  await expect.partnerEvent('refund.completed', { order_key: key })
  await expect.partnerEvent('payment.refunded', { order_key: key })
  dataOf(await partner.get(`${path}/refunds`))

  narrator.step('The cardholder disputes the payment')
  await control(scene, `chargebacks/${key}`, {})
  await expect.partnerEvent('payment.chargeback', { order_key: key })
  const { chargebacks } = dataOf<{ chargebacks: unknown[] }>(await partner.get(`${path}/chargebacks`))
  const { order } = dataOf<{ order: Order }>(await partner.get(path))
  if (chargebacks.length !== 1 || order.status !== 'chargeback')
    throw new Error(`The order should have one chargeback, but is ${JSON.stringify(order)}`)
}
