import { control, type TourContext } from './tour-context.ts'

const REFUND_CENTS = 4_000
const PAGE_TIMEOUT_MS = 15_000

/** Submits the hosted card page, as the buyer's browser does. @throws unless the page redirects the buyer */
const payOnHostedPage = async (orderUrl: string, reporter: TourContext['reporter']): Promise<void> => {
  const card = { email: 'buyer@example.com', card_number: '4242 4242 4242 4242', expiry: '04/40', cvc: '123' }
  const answer = await fetch(orderUrl, {
    method: 'POST',
    body: new URLSearchParams(card),
    redirect: 'manual',
    signal: AbortSignal.timeout(PAGE_TIMEOUT_MS),
  })
  await answer.body?.cancel()
  if (answer.status !== 303) throw new Error(`The hosted page answered ${answer.status}`)
  reporter.log(`the buyer's browser is redirected to ${String(answer.headers.get('location'))}`)
}

const createOrder = async ({ partner, customerId, suffix, reporter }: TourContext) => {
  reporter.step('The partner configures a checkout')
  const { integration } = await partner.createIntegration(
    { customerId, body: { name: `Shop ${suffix}`, return_url: 'https://shop.example/thanks' } },
    { idempotencyKey: `integration-${suffix}` },
  )
  reporter.step('and creates a card order of 100 EUR; the service fee is the buyer’s')
  const body = {
    integration_id: integration.integration_id,
    amount_cents: 10_000,
    currency: 'EUR',
    merchant_reference: `order-${suffix}`,
    service_fee_payer: 'customer',
  } as const
  const { order } = await partner.createFiatOrder({ customerId, body }, { idempotencyKey: `order-${suffix}` })
  return order
}

/**
 * Walks a card order through payment on the hosted page, a partial refund and a dispute.
 * @throws when a response is not the expected one
 */
export const walkCardPayment = async (context: TourContext): Promise<void> => {
  const { partner, suffix, reporter, expect } = context
  const { order_key: key, order_url: url } = await createOrder(context)
  await expect.partnerEvent('payment.pending', { order_key: key })

  reporter.step('The buyer pays on the hosted page')
  await payOnHostedPage(url, reporter)
  await expect.partnerEvent('payment.confirmed', { order_key: key })

  reporter.step('The partner refunds 40 EUR')
  const body = { amount_cents: REFUND_CENTS, description: 'One of two items came back' }
  await partner.createRefund({ orderKey: key, body }, { idempotencyKey: `refund-${suffix}` })
  await expect.partnerEvent('refund.completed', { order_key: key })
  await expect.partnerEvent('payment.refunded', { order_key: key })
  await partner.listRefunds({ orderKey: key })

  reporter.step('The cardholder disputes the payment')
  await control(context, `chargebacks/${key}`, {})
  await expect.partnerEvent('payment.chargeback', { order_key: key })
  const { chargebacks } = await partner.listFiatOrderChargebacks({ orderKey: key })
  const { order } = await partner.getFiatOrder({ orderKey: key })
  if (chargebacks.length !== 1 || order.status !== 'chargeback')
    throw new Error(`The order should have one chargeback, but is ${JSON.stringify(order)}`)
}
