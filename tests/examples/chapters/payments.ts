import { eventually } from '@causeway/chassis/testing'
import type { RawClient } from '@causeway/dev-env/platform/raw-client'
import { customerBody } from '@causeway/scenario'
import { signSandboxPost } from '../../../packages/rails/src/card/sandbox/signature.ts'
import { control, event, key, ok, type Parties } from '../story.ts'
import { ORDER } from './crypto-orders.ts'

type CryptoOrder = Readonly<{ order: { id: string; amount: string } }>
type FiatOrder = Readonly<{ order: { order_key: string; status: string } }>

const PAYER = { payer_ip: '192.0.2.44', payer_email: 'payer@example.com' }

const setUpCheckout = async (
  { staff, receiver }: Parties,
  partner: RawClient,
  path: string,
): Promise<string> => {
  const shop = { name: 'Web shop', return_url: 'https://shop.example/thanks' }
  const { integration } = await ok<{ integration: { integration_id: string } }>(
    partner.post(`${path}/fiat-integrations`, shop, key()),
  )
  await ok(partner.get(`${path}/fiat-integrations`))
  const spare = await ok<{ integration: { integration_id: string } }>(
    partner.post(`${path}/fiat-integrations`, { ...shop, name: 'Old shop' }, key()),
  )
  await ok(partner.delete(`${path}/fiat-integrations/${spare.integration.integration_id}`))
  const ofStaff = `/api/operator/integrations/${integration.integration_id}`
  await ok(staff.put(`${ofStaff}/processor`, { processor: 'processor' }))
  await ok(staff.put(`${ofStaff}/merchant-webhook-url`, { url: receiver.url }))
  await ok(staff.put(`${ofStaff}/merchant-webhook-url`, { url: null }))
  return integration.integration_id
}

/** Card orders that are paid, refunded in part, cancelled, expired and disputed. */
export const payByCard = async (parties: Parties, partner: RawClient, path: string): Promise<void> => {
  const { staff } = parties
  const integration_id = await setUpCheckout(parties, partner, path)
  const create = async (reference: string, shares: object = {}) => {
    const body = {
      integration_id,
      amount_cents: 10_000,
      currency: 'EUR',
      merchant_reference: reference,
      service_fee_payer: 'customer',
      ...shares,
    }
    return (await ok<FiatOrder>(partner.post(`${path}/fiat-orders`, body, key()))).order.order_key
  }
  const becomes = (orderKey: string, status: string) =>
    eventually(async () => {
      const { order } = await ok<FiatOrder>(partner.get(`/api/v1/partner/fiat-orders/${orderKey}`))
      return order.status === status
    })
  const outcome = async (orderKey: string, name: string, payer: object = {}) =>
    control(parties, `card-payments/${orderKey}`, { outcome: name, ...payer })
  const { partner_customer_id: supplier } = await ok<{ partner_customer_id: string }>(
    partner.post('/api/v1/partner/customers', customerBody('supplier')),
  )
  const splits = [{ partner_customer_id: supplier, amount_cents: 3_000, reference: 'supplier-7' }]
  const shared = await create('cart-4', { splits })
  const keys = [await create('cart-1'), await create('cart-2'), await create('cart-3')]
  for (const orderKey of keys) {
    await outcome(orderKey, 'completed', PAYER)
    await becomes(orderKey, 'paid')
  }
  const [first = ''] = keys
  await ok(
    partner.post(
      `/api/v1/partner/fiat-orders/${first}/refunds`,
      { amount_cents: 4_000, description: 'One of two items came back' },
      key(),
    ),
  )
  await event(parties, 'refund.completed')
  await event(parties, 'payment.refunded', 2)
  const { refunds } = await ok<{ refunds: { refund_id: string }[] }>(
    partner.get(`/api/v1/partner/fiat-orders/${first}/refunds`),
  )
  const { order } = await ok<{ order: { partner_id: string } }>(
    staff.get(`/api/operator/fiat-orders/${first}`),
  )
  const refundsByStaff = `/api/operator/partners/${order.partner_id}/fiat-orders/${first}/refunds`
  await ok(staff.get(refundsByStaff))
  await ok(staff.get(`/api/operator/refunds/${refunds[0]?.refund_id}`))
  await ok(staff.get('/api/operator/refunds'))
  await ok(
    staff.post(refundsByStaff, { amount_cents: 100, description: 'The partner does not answer' }, key()),
  )
  await ok(staff.post('/api/operator/orders/search', { reference: 'cart-1' }))
  await ok(staff.get('/api/operator/orders?limit=2&status=pending'))
  await outcome(shared, 'cancelled')
  await outcome(await create('cart-5'), 'expired')
  await ok(partner.get(`${path}/fiat-orders?limit=1`))
  await ok(partner.get('/api/v1/partner/fiat-orders?reference=cart-1'))
  await dispute(parties, partner, { path, keys, becomes })
}

type Disputed = Readonly<{
  path: string
  keys: readonly string[]
  becomes: (orderKey: string, status: string) => Promise<unknown>
}>

const dispute = async (parties: Parties, partner: RawClient, { path, keys, becomes }: Disputed) => {
  const { platform, record, staff } = parties
  for (const orderKey of keys) {
    await control(parties, `chargebacks/${orderKey}`, {})
    await becomes(orderKey, 'chargeback')
  }
  await event(parties, 'risk_alert')
  // The disputes took more than was available.
  await event(parties, 'balance.negative')
  await ok(partner.get(`${path}/chargebacks?limit=1`))
  await ok(partner.get(`/api/v1/partner/fiat-orders/${keys[0]}/chargebacks`))
  const { order } = await ok<{ order: { partner_id: string } }>(
    staff.get(`/api/operator/fiat-orders/${keys[0]}`),
  )
  await ok(staff.get(`/api/operator/partners/${order.partner_id}/fiat-orders/${keys[0]}/chargebacks`))
  await ok(staff.get('/api/operator/chargeback-cases'))
  const { chargeback_cases: cases } = await ok<{ chargeback_cases: { case_id: string }[] }>(
    partner.get(`${path}/chargeback-cases`),
  )
  for (const { case_id } of cases) await ok(partner.post(`${path}/chargeback-cases/${case_id}/lift`))
  const file = await (await fetch(`${platform.sandboxUrl}/control/dispute-file?processor=processor`)).text()
  const imported = '/api/operator/chargebacks/import'
  const answer = await fetch(`${platform.baseUrl}${imported}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platform.operatorKey}`, 'content-type': 'text/csv' },
    body: file,
  })
  const shown = file.split('\n').slice(0, 2).join('\n')
  record(
    { method: 'POST', path: imported, body: shown },
    { status: answer.status, body: (await answer.json()) as Record<string, unknown> },
  )
}

/** Notices as the sandbox's processor and provider send them, of a payment that the platform does not know. */
export const callBack = async (
  { client }: Parties,
  secrets: Readonly<{ card: string; onramp: string }>,
  orders: Readonly<{ orderKey: string; orderId: string }>,
): Promise<void> => {
  // Senders outside have no part in the sandbox's clock.
  const now = new Date().toISOString()
  const send = async (path: string, secret: string, body: unknown) => {
    const signature = signSandboxPost(secret, Buffer.from(JSON.stringify(body)), new Date(now))
    await ok(client().post(path, body, { 'sandbox-signature': signature }))
  }
  const payment = { processor: 'processor', payment_id: 'sbp_0123456789abcdef', order_key: orders.orderKey }
  await send('/api/callbacks/cards/processor', secrets.card, {
    notice_id: 'sbn_0123456789abcdef01234567',
    event: 'payment.completed',
    kind: 'payment',
    created_at: now,
    ...payment,
  })
  await send('/api/callbacks/cards/processor/authorizations', secrets.card, {
    ...payment,
    payer_ip: '192.0.2.1',
    payer_email: 'buyer@example.com',
  })
  await send('/api/callbacks/onramp/provider', secrets.onramp, {
    provider: 'provider',
    order: {
      order_id: 'sbr_0123456789abcdef01234567',
      external_id: orders.orderId,
      status: 'complete',
      changed_at: now,
      order_type: 'CRYPTO-BUY',
      fiat: 'EUR',
      fiat_amount: '25.00',
      crypto: 'USDC',
      crypto_amount: '27.17',
      blockchain: 'ETH',
      transaction_hash: `0x${'ab'.repeat(32)}`,
      checkout_url: 'https://provider.example/buy',
      order_status_url: null,
    },
  })
}

const HOUR_MS = 3_600_000

/** A purchase that takes longer than 72 hours, and an order that nobody pays; the clock is moved. */
export const buyByOnramp = async (parties: Parties, partner: RawClient, path: string): Promise<string> => {
  const { platform } = parties
  await ok(partner.post(`${path}/orders`, { reference: 'invoice-2026-3', ...ORDER }))
  const { order } = await ok<CryptoOrder>(
    partner.post(`${path}/orders`, { reference: 'invoice-2026-4', ...ORDER }),
  )
  const purchase = `/api/v1/partner/orders/${order.id}/onramp`
  const { onramp } = await ok<{ onramp: { id: string } }>(partner.post(purchase, { fiat: 'EUR' }))
  await ok(partner.post(purchase, { fiat: 'EUR' }))
  await ok(partner.get(purchase))
  await control(parties, `onramp/${onramp.id}`, { status: 'extraVerification' })
  await event(parties, 'ramping.status_changed')
  await ok(platform.sandbox.post('/control/clock', { advance_ms: 10 * HOUR_MS }))
  await event(parties, 'ramping.kyc_pending')
  await ok(platform.sandbox.post('/control/clock', { advance_ms: 62 * HOUR_MS }))
  // The card order's, and those of the two crypto orders.
  await event(parties, 'payment.expired', 3)
  await event(parties, 'expired', 3)
  return order.id
}
