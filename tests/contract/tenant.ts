import type { PartnerClient } from '@causeway/client'
import { SCOPES } from '@causeway/contracts'
import { eventually } from '@causeway/chassis/testing'
import { createRawClient, dataOf, type RawClient } from '@causeway/dev-env/platform/raw-client'
import { startReceiver } from '../../scripts/demo/receiver.ts'
import { newCustomer, newPartner, orderBody, type TestPlatform } from '../journeys/platform.ts'

/** A merchant of a partner with one object of every kind, and clients for both. */
export type Tenant = Readonly<{
  partnerId: string
  partner: RawClient
  merchant: RawClient
  merchantKey: string
  /** Path of the customer under the partner API. */
  customer: string
  /** E-mail address of the merchant, and its id at the partner. */
  email: string
  externalId: string
  /** URL of the local receiver of its webhooks. */
  receiverUrl: string
  /** Ids by what they name. */
  ids: Readonly<Record<TenantId, string>>
}>

type TenantId =
  | 'relationship'
  | 'merchant'
  | 'spareClient'
  | 'verification'
  | 'document'
  | 'requirement'
  | 'onboardingLink'
  | 'order'
  | 'integration'
  | 'fiatOrder'
  | 'refund'
  | 'case'
  | 'apiKey'
  | 'payout'
  | 'payoutWallet'
  | 'report'
  | `${'partner' | 'merchant'}${'Webhook' | 'Event' | 'Delivery' | 'Redelivery'}`

/** A question that a report answers. */
export const reportBody = {
  ...{ type: 'activity', format: 'csv' },
  ...{ from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
}

/** A destination of payouts. */
export const walletBody = { kind: 'iban', iban: 'DE89370400440532013000', holder_name: 'Example GmbH' }

let keys = 0
/** A new Idempotency-Key. */
export const newKey = (): { 'idempotency-key': string } => ({ 'idempotency-key': `contract-${(keys += 1)}` })

/** A partner with the default capabilities that the tenants need. */
export const newContractPartner = (platform: TestPlatform) =>
  newPartner(platform, {
    scopes: SCOPES,
    default_capabilities: [
      ...['payments.crypto', 'payments.fiat_card', 'refunds', 'wallets', 'payouts'],
      ...['payout_wallets', 'withdrawals'],
    ],
  })

/** Starts the receiver of all webhooks of the tests; it answers 200. */
export const startWebhookReceiver = () => startReceiver()

type Build = Readonly<{
  platform: TestPlatform
  partnerId: string
  partner: RawClient
  causeway: PartnerClient
  receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
}>

const idOf = (path: string) => path.split('/').at(-1) ?? ''

/** Waits for a list to have an item. @returns its first */
const firstOf = <T>(api: RawClient, path: string, name: string): Promise<T> =>
  eventually(async () => {
    const listed = dataOf<Record<string, T[]>>(await api.get(path))[name]
    return listed?.[0]
  })

/** Creates a card order and pays it on the sandbox. @returns its key */
export const paidOrder = async (
  { platform, partner }: Pick<Build, 'platform' | 'partner'>,
  customer: string,
  payerEmail: string,
): Promise<string> => {
  const { integration_id } = await firstOf<{ integration_id: string }>(
    partner,
    `${customer}/fiat-integrations`,
    'integrations',
  )
  const body = { integration_id, amount_cents: 10_000, currency: 'EUR', payer_email: payerEmail }
  const { order } = dataOf<{ order: { order_key: string } }>(
    await partner.post(`${customer}/fiat-orders`, body, newKey()),
  )
  dataOf(await platform.sandbox.post(`/control/card-payments/${order.order_key}`, { outcome: 'completed' }))
  await eventually(async () => {
    const read = dataOf<{ order: { status: string } }>(
      await partner.get(`/api/v1/partner/fiat-orders/${order.order_key}`),
    )
    return read.order.status === 'paid'
  })
  return order.order_key
}

/** Disputes a paid order. @returns the chargeback case that blocks its payer */
export const disputedCase = async (
  build: Pick<Build, 'platform' | 'partner'>,
  customer: string,
  payerEmail: string,
): Promise<string> => {
  const orderKey = await paidOrder(build, customer, payerEmail)
  dataOf(await build.platform.sandbox.post(`/control/chargebacks/${orderKey}`, {}))
  return eventually(async () => {
    const { chargeback_cases: cases } = dataOf<{
      chargeback_cases: { case_id: string; status: string; order_keys: string[] }[]
    }>(await build.partner.get(`${customer}/chargeback-cases`))
    return cases.find(({ status, order_keys }) => status === 'active' && order_keys.includes(orderKey))
      ?.case_id
  })
}

/** The ids of a destination's delivered event that a filter finds, of its delivery, and of a finished redelivery. */
const webhookLog = async (api: RawClient, owner: string, webhookId: string, filter: string) => {
  const at = `${owner}/webhooks/${webhookId}`
  const { delivery_id, event_id } = await firstOf<{ delivery_id: string; event_id: string }>(
    api,
    `${at}/deliveries?status=delivered&${filter}`,
    'deliveries',
  )
  const { redelivery } = dataOf<{ redelivery: { redelivery_id: string } }>(
    await api.post(`${at}/redeliveries`, { since: '2026-01-01T00:00:00Z' }),
  )
  const path = `${at}/redeliveries/${redelivery.redelivery_id}`
  await eventually(async () => {
    const read = dataOf<{ redelivery: { status: string } }>(await api.get(path))
    return read.redelivery.status !== 'running'
  })
  return { delivery: delivery_id, event: event_id, redelivery: redelivery.redelivery_id }
}

const merchantClient = async ({ platform }: Build, merchant: string) => {
  const { api_key: key } = dataOf<{ api_key: string }>(
    await platform.staff.post(`/api/operator/merchants/${merchant}/api-keys`),
  )
  return { key, api: createRawClient({ baseUrl: platform.baseUrl, headers: { 'x-api-key': key } }) }
}

const onboarded = async (build: Build, customer: string) => {
  const { partner, platform } = build
  const { verification } = dataOf<{ verification: { verification_id: string } }>(
    await partner.get(`${customer}/verifications`),
  )
  const { document_id: document } = await firstOf<{ document_id: string }>(
    partner,
    `${customer}/documents`,
    'documents',
  )
  const asked = { kind: 'clarification', message: 'What do you sell?' }
  const { onboarding_link: onboardingLink } = dataOf<{ onboarding_link: { onboarding_link_id: string } }>(
    await partner.post(`${customer}/onboarding-links`),
  )
  const { requirement } = dataOf<{ requirement: { requirement_id: string } }>(
    await partner.post(`${customer}/requirements`, asked),
  )
  const { client } = dataOf<{ client: { client_id: string } }>(
    await platform.staff.post(`/api/operator/partners/${build.partnerId}/clients`, {}),
  )
  return {
    verification: verification.verification_id,
    document,
    requirement: requirement.requirement_id,
    onboardingLink: onboardingLink.onboarding_link_id,
    spareClient: client.client_id,
  }
}

/** Creates a report about a customer, and waits until it is made. @returns its id */
const madeReport = async (partner: RawClient, customerId: string): Promise<string> => {
  const path = '/api/v1/partner/reports'
  const { report } = dataOf<{ report: { report_id: string } }>(
    await partner.post(path, { ...reportBody, partner_customer_id: customerId }),
  )
  await eventually(async () => {
    const read = dataOf<{ report: { status: string } }>(await partner.get(`${path}/${report.report_id}`))
    return read.report.status === 'ready'
  })
  return report.report_id
}

const paid = async (build: Build, customer: string, merchant: string) => {
  const { partner, platform } = build
  const { order } = await eventually(async () =>
    dataOf<{ order: { id: string } }>(await partner.post(`${customer}/orders`, orderBody('contract'))),
  )
  dataOf(await partner.post(`/api/v1/partner/orders/${order.id}/onramp`, { fiat: 'EUR' }))
  const { integration } = dataOf<{ integration: { integration_id: string } }>(
    await partner.post(
      `${customer}/fiat-integrations`,
      { name: 'Second shop', return_url: 'https://shop.example/thanks' },
      newKey(),
    ),
  )
  const fiatOrder = await paidOrder(build, customer, 'payer@example.com')
  const refunds = `/api/v1/partner/fiat-orders/${fiatOrder}/refunds`
  dataOf(await partner.post(refunds, { amount_cents: 1 }, newKey()))
  const refund = dataOf<{ refunds: { refund_id: string }[] }>(await partner.get(refunds)).refunds[0]
  const payout = dataOf<{ payout: { payout_id: string } }>(
    await platform.staff.post('/api/operator/payouts', {
      customer_id: merchant,
      partner_customer_id: idOf(customer),
      amount_cents: 100,
      currency: 'EUR',
      scheduled_for: '2030-01-01T00:00:00Z',
    }),
  ).payout
  const report = await madeReport(partner, idOf(customer))
  const { payout_wallet: wallet } = dataOf<{ payout_wallet: { payout_wallet_id: string } }>(
    await partner.post(`${customer}/payout-wallets`, walletBody, newKey()),
  )
  return {
    report,
    order: order.id,
    integration: integration.integration_id,
    fiatOrder,
    refund: refund?.refund_id ?? '',
    payout: payout.payout_id,
    payoutWallet: wallet.payout_wallet_id,
    case: await disputedCase(build, customer, `blocked-${merchant}@example.com`),
  }
}

/** Creates a merchant of this partner with one object of every kind that the API can name. */
export const buildTenant = async (build: Build): Promise<Tenant> => {
  const { platform, partnerId, partner, receiver } = build
  const owner = `/api/operator/partners/${partnerId}`
  const made = dataOf<{ webhook: { webhook_id: string } }>(
    await platform.staff.post(`${owner}/webhooks`, { url: receiver.url }),
  )
  const { path: customer } = await newCustomer(platform, build.causeway)
  const read = dataOf<{ customer_id: string; external_customer_id: string }>(await partner.get(customer))
  const merchant = read.customer_id
  const { key, api } = await merchantClient(build, merchant)
  const { id: merchantWebhook } = dataOf<{ id: string }>(
    await api.post('/api/user/webhooks', { url: receiver.url }),
  )
  const ids = { ...(await onboarded(build, customer)), ...(await paid(build, customer, merchant)) }
  // One event that both logs have: which one is the newest depends on how fast each was delivered.
  const merchantLog = await webhookLog(api, '/api/user', merchantWebhook, 'event_type=chargeback')
  const partnerLog = await webhookLog(
    platform.staff,
    owner,
    made.webhook.webhook_id,
    `event_id=${merchantLog.event}`,
  )
  const { keyId } = await firstOf<{ keyId: string }>(api, '/api/user/api-keys', 'apiKeys')
  return {
    partnerId,
    partner,
    merchant: api,
    merchantKey: key,
    customer,
    email: `${read.external_customer_id}@example.com`,
    externalId: read.external_customer_id,
    receiverUrl: receiver.url,
    ids: {
      ...ids,
      relationship: idOf(customer),
      merchant,
      apiKey: keyId,
      partnerWebhook: made.webhook.webhook_id,
      partnerEvent: partnerLog.event,
      partnerDelivery: partnerLog.delivery,
      partnerRedelivery: partnerLog.redelivery,
      merchantWebhook,
      merchantEvent: merchantLog.event,
      merchantDelivery: merchantLog.delivery,
      merchantRedelivery: merchantLog.redelivery,
    },
  }
}
