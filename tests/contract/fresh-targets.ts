import { dataOf } from '@causeway/dev-env/platform/raw-client'
import type { OperationRoute } from '@causeway/contracts/http'
import { orderBody, newShop, type TestPlatform } from '../journeys/platform.ts'
import { createStaffKey, openSession } from './platform-state.ts'
import { asked, since } from './requests.ts'
import { disputedCase, newKey, walletBody, type Tenant } from './tenant.ts'

type ServiceContext = Readonly<{
  platform: TestPlatform
  /** Inserts an open difference of the reconciliation, for staff to close. */
  newDifference: () => Promise<string>
}>
type Fresh = (tenant: Tenant, fixture: ServiceContext) => Promise<Readonly<Record<string, string>>>

const newRegistration: Fresh = async ({ merchant, receiverUrl: url }) => ({
  webhookId: dataOf<{ id: string }>(await merchant.post('/api/user/webhooks', { url })).id,
})
const newDestination: Fresh = async ({ partnerId, receiverUrl: url }, { platform }) => ({
  webhookId: dataOf<{ webhook: { webhook_id: string } }>(
    await platform.staff.post(`/api/operator/partners/${partnerId}/webhooks`, { url }),
  ).webhook.webhook_id,
})
const newApiKey: Fresh = async ({ ids }, { platform }) => {
  const path = `/api/operator/merchants/${ids.merchant}/api-keys`
  dataOf(await platform.staff.post(path))
  const { api_keys: keys } = dataOf<{ api_keys: { key_id: string }[] }>(await platform.staff.get(path))
  // Oldest first.
  return { keyId: keys.at(-1)?.key_id ?? '' }
}
const newRequirement =
  (by: 'partner' | 'staff'): Fresh =>
  async ({ partner, customer, ids }, { platform }) => {
    const answer =
      by === 'partner'
        ? await partner.post(`${customer}/requirements`, asked)
        : await platform.staff.post(`/api/operator/merchants/${ids.merchant}/requirements`, asked)
    return {
      requirementId: dataOf<{ requirement: { requirement_id: string } }>(answer).requirement.requirement_id,
    }
  }
const signedUp = async ({ partner }: Tenant) => {
  const made = await partner.post('/api/v1/partner/customers', newShop())
  return { partnerCustomerId: dataOf<{ partner_customer_id: string }>(made).partner_customer_id }
}

const newPayout = async ({ ids }: Tenant, { platform }: ServiceContext) => {
  const body = { customer_id: ids.merchant, amount_cents: 1, currency: 'EUR', scheduled_for: since.since }
  const answer = await platform.staff.post('/api/operator/payouts', body)
  return { payoutId: dataOf<{ payout: { payout_id: string } }>(answer).payout.payout_id }
}

/** A destination of the customer at this path. */
const newWallet = async ({ partner }: Tenant, customer: string) => {
  const answer = await partner.post(`${customer}/payout-wallets`, walletBody, newKey())
  const { payout_wallet: wallet } = dataOf<{ payout_wallet: { payout_wallet_id: string } }>(answer)
  return { payoutWalletId: wallet.payout_wallet_id }
}
/** A destination of a new customer: each may have 20. */
const newWalletElsewhere: Fresh = async (tenant) =>
  newWallet(tenant, `/api/v1/partner/customers/${(await signedUp(tenant)).partnerCustomerId}`)

const newStaffKey: Fresh = async (_, { platform }) => ({ staffKeyId: await createStaffKey(platform) })

let made = 0
/** Targets that an operation uses up are created for each allowed call. */
const FRESH: Readonly<Record<string, Fresh>> = {
  'onboarding.onboarding-links.end': async ({ partner, customer }) => ({
    onboardingLinkId: dataOf<{ onboarding_link: { onboarding_link_id: string } }>(
      await partner.post(`${customer}/onboarding-links`),
    ).onboarding_link.onboarding_link_id,
  }),
  'onboarding.requirements.update': newRequirement('partner'),
  'onboarding.requirements.update-by-staff': newRequirement('staff'),
  'payments.crypto-orders.cancel': async ({ partner, customer }) => {
    const body = orderBody(`to be cancelled ${(made += 1)}`)
    return {
      orderId: dataOf<{ order: { id: string } }>(await partner.post(`${customer}/orders`, body)).order.id,
    }
  },
  'payments.integrations.delete': async ({ partner, customer }) => {
    const body = { name: `To be removed ${(made += 1)}`, return_url: 'https://shop.example/thanks' }
    const answer = await partner.post(`${customer}/fiat-integrations`, body, newKey())
    return {
      integrationId: dataOf<{ integration: { integration_id: string } }>(answer).integration.integration_id,
    }
  },
  'payments.chargeback-cases.lift': async ({ partner, customer }, { platform }) => ({
    caseId: await disputedCase({ platform, partner }, customer, `lifted-${(made += 1)}@example.com`),
  }),
  'gateway.own-api-keys.revoke': newApiKey,
  'gateway.api-keys.revoke': newApiKey,
  'gateway.staff-keys.revoke': newStaffKey,
  'gateway.sessions.end': async (_, { platform }) => ({ sessionId: await openSession(platform) }),
  'webhooks.registrations.delete': newRegistration,
  'webhooks.redeliveries.create-own': newRegistration,
  'webhooks.redeliveries.create-of-merchant': newRegistration,
  'webhooks.destinations.delete': newDestination,
  'webhooks.redeliveries.create': newDestination,
  'webhooks.endpoints.delete': newDestination,
  'webhooks.redeliveries.create-of-endpoint': newDestination,
  'ledger.payout-wallets.delete': (tenant) => newWallet(tenant, tenant.customer),
  'ledger.payout-wallets.confirm': newWalletElsewhere,
  'ledger.payout-wallets.refuse': newWalletElsewhere,
  'ledger.payouts.mark-sent': newPayout,
  'ledger.payouts.cancel': newPayout,
  'ledger.payouts.mark-returned': async (tenant, fixture) => {
    const target = await newPayout(tenant, fixture)
    dataOf(await fixture.platform.staff.post(`/api/operator/payouts/${target.payoutId}/sent`))
    return target
  },
  'refunds.reconciliation.close': async (_, { newDifference }) => ({ differenceId: await newDifference() }),
  'onboarding.relationships.revoke': signedUp,
  'onboarding.relationships.reinstate': async (tenant, { platform }) => {
    const customer = await signedUp(tenant)
    dataOf(await platform.staff.post(`/api/operator/customers/${customer.partnerCustomerId}/revoke`))
    return customer
  },
}

/** Path parameters that replace the tenant's own, for an operation that uses up its target. */
export const freshTargetOf = async (
  { operation }: OperationRoute,
  tenant: Tenant,
  fixture: ServiceContext,
): Promise<Readonly<Record<string, string>>> => (await FRESH[operation.subject]?.(tenant, fixture)) ?? {}
