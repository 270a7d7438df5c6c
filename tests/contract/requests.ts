import { randomUUID } from 'node:crypto'
import type { OperationRoute } from '@causeway/contracts/http'
import { orderBody } from '../journeys/platform.ts'
import { DEFAULT_PRICE_PLAN_ID, platformIds } from './parameters.ts'
import { reportBody, walletBody, type Tenant } from './tenant.ts'

/** A file that is detected as a PDF. */
const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n').toString('base64')

const brand = () => ({ name: 'Acme', accent_color: '#0d5c46', support_address: 'help@acme.example' })
/** No image, so that these requests do not wait for each other: one is encoded at a time. */
const logo = () => ({ content_base64: 'VGVybXM=' })

/** A new address each time: inviting somebody twice within a minute is refused. */
const invitation = () => ({ email: `${randomUUID()}@shop.example`, role: 'viewer' })

/** A requirement to raise. */
export const asked = { kind: 'clarification', message: 'What do you sell?' }
/** A redelivery to start. */
export const since = { since: '2026-01-01T00:00:00Z' }

/** Where refunds go. */
const RECIPIENT = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'

/** A valid body of each operation, by subject. */
const BODIES: Readonly<Record<string, (tenant: Tenant) => unknown>> = {
  'onboarding.customers.create': ({ externalId, email }) => ({ external_customer_id: externalId, email }),
  'onboarding.agreements.accept': () => ({
    agreement_version: '1.0',
    acceptance_channel: 'partner_web',
    accepted_at: '2026-01-01T00:00:00Z',
    evidence: { checkbox: true },
  }),
  'onboarding.documents.create': () => ({
    document_type: 'other',
    file_name: 'a.pdf',
    content_base64: PDF,
  }),
  'onboarding.brands.put': brand,
  'onboarding.brands.put-logo': logo,
  'onboarding.brands.put-of-customer': brand,
  'onboarding.brands.put-logo-of-customer': logo,
  'onboarding.brands.put-by-staff': brand,
  'onboarding.brands.put-logo-by-staff': logo,
  'onboarding.requirements.raise': () => asked,
  'onboarding.requirements.update': ({ ids }) => ({ status: 'fulfilled', document_id: ids.document }),
  'onboarding.onboarding-links.create': () => ({ expires_in_hours: 1 }),
  'payments.crypto-orders.create': () => orderBody('contract'),
  'payments.integrations.create': () => ({ name: 'Shop', return_url: 'https://shop.example/thanks' }),
  'payments.fiat-orders.create': ({ ids }) => ({
    integration_id: ids.integration,
    amount_cents: 10_000,
    currency: 'EUR',
  }),
  'refunds.refunds.create': () => ({ amount_cents: 100 }),
  'refunds.refunds.create-by-staff': () => ({ amount_cents: 100 }),
  'onramp.orders.create': () => ({ fiat: 'EUR' }),
  'webhooks.registrations.create': ({ receiverUrl }) => ({ url: receiverUrl }),
  'webhooks.registrations.update': () => ({ integrationId: null }),
  'webhooks.redeliveries.create-own': () => since,
  'webhooks.redeliveries.create-of-endpoint': () => since,
  'webhooks.endpoints.create': ({ receiverUrl }) => ({
    url: receiverUrl,
    event_types: ['payment.confirmed'],
  }),
  'webhooks.endpoints.update': () => ({ event_types: [] }),
  'gateway.partners.create': () => ({ name: 'Made by the matrix' }),
  'gateway.partners.update': () => ({ name: 'Renamed' }),
  'gateway.staff-keys.create': () => ({ name: 'Made by the matrix', role: 'viewer' }),
  'gateway.people.invite-to-partner': invitation,
  'gateway.people.invite-to-merchant': invitation,
  'gateway.people.update': () => ({ role: 'viewer' }),
  'gateway.sessions.end-all': () => ({ actor: 'oidc:nobody' }),
  'gateway.clients.create': () => ({}),
  'gateway.clients.rotate-secret': () => ({ grace_seconds: 60 }),
  'gateway.clients.update': () => ({ status: 'active' }),
  'gateway.client-keys.replace': () => ({ jwks: { keys: [] } }),
  'webhooks.destinations.create': ({ receiverUrl }) => ({
    url: receiverUrl,
    event_types: ['payment.confirmed'],
  }),
  'webhooks.destinations.update': () => ({ event_types: [] }),
  'webhooks.redeliveries.create': () => since,
  'webhooks.redeliveries.create-of-merchant': () => since,
  'payments.integrations.update-processor': () => ({ processor: 'processor' }),
  'payments.chargebacks.import-file': () =>
    'dispute_id,order_key,disputed_at,dispute_amount_cents,dispute_currency,fee_cents,fee_currency\n',
  'ledger.settlements.import-file': () =>
    'line_id,kind,processor_order_id,gross_cents,fee_cents,net_cents,currency,available_on,payout_ref\n',
  'ledger.bank-statements.import-file': () =>
    'line_id,booked_at,amount_cents,currency,reference,counterparty\n',
  'payments.crypto-orders.refund': () => ({ to_address: RECIPIENT }),
  'payments.unattributed-money.apply': () => ({ merchant_consent: 'By e-mail' }),
  'payments.unattributed-money.keep': () => ({ reason: 'Not worth its network fee' }),
  'payments.unattributed-money.handled': () => ({ reason: 'Sent back by hand' }),
  'payments.unattributed-money.refund': () => ({ to_address: RECIPIENT }),
  'ledger.differences.close': () => ({ reason: 'Explained by the processor' }),
  'payments.price-plans.create': () => ({
    name: 'Made by the matrix',
    rules: [{ rail: 'card', percent: 2.5, payer: 'merchant' }],
  }),
  'payments.price-previews.create': () => ({ rules: [] }),
  'payments.price-plans.assign-to-partner': () => ({ price_plan_id: null }),
  'payments.price-plans.assign-to-merchant': () => ({ price_plan_id: null }),
  'ledger.adjustments.create': ({ ids }) => ({
    partner_customer_id: ids.relationship,
    unit: 'EUR',
    amount: 100,
    reason: 'Goodwill',
  }),
  // In a unit in which the tenants owe nothing.
  'ledger.adjustments.write-off': ({ ids }) => ({
    partner_customer_id: ids.relationship,
    unit: 'CHF',
    amount: 100,
    reason: 'The merchant has closed its shop',
  }),
  'ledger.reserve-plans.set': () => ({ share_percent: 10, days: 30 }),
  'ledger.reports.create': () => reportBody,
  'payments.orders.search': () => ({ reference: 'contract' }),
  'onboarding.customers.search': ({ email }) => ({ email }),
  'onboarding.customers.list-names': ({ ids }) => ({ ids: [ids.merchant] }),
  'gateway.partners.list-names': () => ({ ids: [] }),
  'payments.payers.export': () => ({ email: 'nobody@example.com' }),
  'payments.payers.erase': () => ({ email: 'nobody@example.com' }),
  'ledger.payouts.announce': ({ ids }) => ({
    customer_id: ids.merchant,
    amount_cents: 100,
    currency: 'EUR',
    scheduled_for: '2030-01-01T00:00:00Z',
  }),
  'ledger.payouts.announce-to-partner': () => ({
    amount_cents: 100,
    currency: 'EUR',
    scheduled_for: '2030-01-01T00:00:00Z',
  }),
  'ledger.payment-files.create': () => ({ unit: 'EUR' }),
  'ledger.payout-runs.run': ({ ids }) => ({ partner_customer_id: ids.relationship, dry_run: true }),
  'ledger.payout-schedule.set': ({ ids }) => ({
    schedules: [{ unit: 'EUR', interval: 'weekly', weekday: 'monday', payout_wallet_id: ids.payoutWallet }],
  }),
  'ledger.payout-wallets.create': () => walletBody,
  'ledger.payout-wallets.prove': () => ({ signature: '0x00' }),
  'ledger.payout-wallets.refuse': () => ({ reason: 'Not its own' }),
  'ledger.withdrawals.create': ({ ids }) => ({
    unit: 'EUR',
    amount_cents: 1,
    payout_wallet_id: ids.payoutWallet,
  }),
  'ledger.payouts.mark-returned': () => ({ reason: 'Account closed' }),
  'ledger.payout-transfers.send': () => ({
    expected: { unit: 'ETH/USDC', amount: '1', address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
  }),
  'webhooks.integration-urls.update': () => ({ url: null }),
  'onboarding.capabilities.grant': () => ({ enabled: true }),
  'onboarding.capabilities.suspend': () => ({ capabilities: [] }),
  'onboarding.reviews.reject': () => ({ rejection_reason: 'other' }),
  'onboarding.requirements.raise-by-staff': () => asked,
  'onboarding.requirements.update-by-staff': () => ({ status: 'cancelled' }),
  'onboarding.agreements.publish': () => ({
    agreement_id: platformIds.agreement,
    title: 'Terms',
    version: '1.0',
    effective_date: '2026-01-01',
    parties: [{ role: 'provider', name: 'Causeway' }],
    disclosure: 'You agree.',
    content_base64: 'VGVybXM=',
  }),
  'gateway.parked-events.set-aside': () => ({ note: 'Known.' }),
  'onboarding.documents.review': () => ({ status: 'accepted' }),
}

/**
 * A valid body of the operation; undefined for those without one. @throws Error naming an operation that is missing
 * here
 */
export const bodyOf = (route: OperationRoute, tenant: Tenant): unknown => {
  const { subject, body } = route.operation
  const make = BODIES[subject]
  if (make !== undefined) return make(tenant)
  if (body.safeParse(undefined).success) return undefined
  throw new Error(
    `${route.method} ${route.path}: no body is known that it takes. Add one for ${subject} to BODIES in tests/contract/requests.ts`,
  )
}

/**
 * Statuses of operations that their owner may call but whose precondition fails: the tenants' cases are approved, their
 * orders not cancelled, their agreement published, another not in force, their links confirmed, their relationships active,
 * their logos no images.
 */
const STATUSES_FOR_OWNERS: Readonly<Record<string, number>> = {
  'onboarding.brands.put-logo': 400,
  'onboarding.brands.put-logo-of-customer': 400,
  'onboarding.brands.put-logo-by-staff': 400,
  'onboarding.reviews.approve': 409,
  'onboarding.reviews.reject': 409,
  'onboarding.agreements.publish': 409,
  'onboarding.agreements.retire': 409,
  'payments.crypto-orders.refund': 409,
  'payments.crypto-orders.get-refund': 404,
  'payments.crypto-orders.get-refund-plan': 409,
  'onboarding.relationships.confirm-link': 409,
  'onboarding.personal-data.erase': 409,
  // Without FOUR_EYES nothing waits for a second person.
  'gateway.people.update': 404,
  'gateway.people.remove': 404,
  'gateway.pending-actions.get': 404,
  'gateway.pending-actions.confirm': 404,
  'gateway.pending-actions.decline': 404,
  'gateway.pending-actions.take-result': 404,
  'ledger.books.get-journal': 404,
  // The platform has no account that pays.
  'ledger.payment-files.create': 409,
  'ledger.payment-files.get': 404,
  'ledger.payment-files.mark-uploaded': 404,
  'ledger.differences.close': 404,
  // The tenants owe nothing.
  'ledger.adjustments.write-off': 400,
  // These requests have no query, and the import needs the processor.
  'ledger.settlements.import-file': 400,
  // A bank account has no proof, and those of the tenants are not confirmed.
  'ledger.payout-wallets.prove': 409,
  'ledger.withdrawals.create': 409,
  // The partners of the tenants have earned nothing.
  'ledger.payouts.announce-to-partner': 409,
  // The payouts of the tenants are of a currency, and no signer runs.
  'ledger.payout-transfers.send': 409,
  'signer.treasury.list': 503,
  // No money of the tenants is unattributed.
  'payments.unattributed-money.get': 404,
  'payments.unattributed-money.apply': 404,
  'payments.unattributed-money.keep': 404,
  'payments.unattributed-money.handled': 404,
  'payments.unattributed-money.refund': 404,
  'payments.unattributed-money.get-refund-plan': 404,
}

/** The status of an allowed request. Where a call creates or finds, the tenants have the object already. */
export const statusForOwner = ({ operation, status }: OperationRoute): number =>
  STATUSES_FOR_OWNERS[operation.subject] ??
  (typeof status === 'number' ? status : (status['existing'] ?? status['created'] ?? 200))

/** Operations that do not answer 404 for objects that the caller must not see. */
const ANSWERS_WHEN_NOT_VISIBLE: Readonly<Record<string, readonly [status: number, code: string | null]>> = {
  // An empty list (decisions §10).
  'payments.chargebacks.list-by-order': [200, null],
  // An empty list (decisions §51).
  'ledger.order-settlements.list-by-merchant': [200, null],
  'payments.order-deposits.list-by-merchant': [200, null],
  // Empty lists (decisions §45).
  'payments.chargebacks.list-by-staff': [200, null],
  'refunds.refunds.list-by-staff': [200, null],
  // A month is not an object: a malformed one is a mistake in the request (decisions §48).
  'ledger.statements.get': [400, 'invalid_request'],
  'ledger.statements.get-of-partner': [400, 'invalid_request'],
}

/** The expected response to a request that names an object that the caller must not see. */
export const answerWhenNotVisible = ({
  operation,
}: OperationRoute): readonly [status: number, code: string | null] =>
  ANSWERS_WHEN_NOT_VISIBLE[operation.subject] ?? [404, 'resource_not_found']

/** A field of a body that names an object, and the response when the caller must not see it. */
type Reference = Readonly<{
  of: (tenant: Tenant) => string
  refusal: readonly [status: number, code: string]
  visibleTo: 'tenant' | 'anyone'
}>

const PRICE_PLAN: Reference = {
  of: () => DEFAULT_PRICE_PLAN_ID,
  refusal: [404, 'resource_not_found'],
  visibleTo: 'anyone',
}
const REFERENCES: Readonly<Record<string, Reference>> = {
  'payments.price-plans.create.price_plan_id': PRICE_PLAN,
  'payments.price-plans.assign-to-partner.price_plan_id': PRICE_PLAN,
  'payments.price-plans.assign-to-merchant.price_plan_id': PRICE_PLAN,
  'onboarding.requirements.update.document_id': {
    of: ({ ids }) => ids.document,
    refusal: [400, 'invalid_request'],
    visibleTo: 'tenant',
  },
  'onboarding.requirements.update-by-staff.document_id': {
    of: ({ ids }) => ids.document,
    refusal: [400, 'invalid_request'],
    visibleTo: 'tenant',
  },
  'payments.fiat-orders.create.integration_id': {
    of: ({ ids }) => ids.integration,
    refusal: [404, 'resource_not_found'],
    visibleTo: 'tenant',
  },
  'webhooks.registrations.create.integrationId': {
    of: ({ ids }) => ids.integration,
    refusal: [400, 'invalid_request'],
    visibleTo: 'tenant',
  },
  'webhooks.registrations.update.integrationId': {
    of: ({ ids }) => ids.integration,
    refusal: [400, 'invalid_request'],
    visibleTo: 'tenant',
  },
  'ledger.withdrawals.create.payout_wallet_id': {
    of: ({ ids }) => ids.payoutWallet,
    refusal: [404, 'resource_not_found'],
    visibleTo: 'tenant',
  },
  'ledger.payouts.announce.customer_id': {
    of: ({ ids }) => ids.merchant,
    refusal: [404, 'resource_not_found'],
    visibleTo: 'anyone',
  },
  'ledger.payouts.announce.partner_customer_id': {
    of: ({ ids }) => ids.relationship,
    refusal: [404, 'resource_not_found'],
    visibleTo: 'tenant',
  },
  'ledger.payout-runs.run.partner_customer_id': {
    of: ({ ids }) => ids.relationship,
    refusal: [404, 'resource_not_found'],
    visibleTo: 'anyone',
  },
  // The amount itself is not there.
  'payments.unattributed-money.apply.order_id': {
    of: ({ ids }) => ids.order,
    refusal: [404, 'resource_not_found'],
    visibleTo: 'anyone',
  },
  'ledger.reports.create.partner_customer_id': {
    of: ({ ids }) => ids.relationship,
    refusal: [404, 'resource_not_found'],
    visibleTo: 'tenant',
  },
  'ledger.adjustments.create.partner_customer_id': {
    of: ({ ids }) => ids.relationship,
    refusal: [404, 'resource_not_found'],
    visibleTo: 'anyone',
  },
  'ledger.adjustments.create.partner_id': {
    of: ({ partnerId }) => partnerId,
    refusal: [400, 'invalid_request'],
    visibleTo: 'anyone',
  },
  'ledger.adjustments.write-off.partner_customer_id': {
    of: ({ ids }) => ids.relationship,
    refusal: [404, 'resource_not_found'],
    visibleTo: 'anyone',
  },
  'ledger.adjustments.write-off.partner_id': {
    of: ({ partnerId }) => partnerId,
    refusal: [400, 'invalid_request'],
    visibleTo: 'anyone',
  },
  'onboarding.agreements.publish.agreement_id': {
    of: () => platformIds.agreement,
    refusal: [404, 'resource_not_found'],
    visibleTo: 'anyone',
  },
}
/** Fields that look like references and are not. */
const NAMES_NOTHING = new Set(['external_customer_id', 'tx_id'])
/** Operations whose body names what need not be there: searches, and the end of all sessions of somebody. */
const namesAnything = ({ operation: { subject } }: OperationRoute): boolean =>
  subject.endsWith('.search') || subject === 'gateway.sessions.end-all'

/** The references in an operation's body. @throws Error naming a reference that is not described */
export const referencesOf = (
  route: OperationRoute,
  fields: readonly string[],
): (Reference & { field: string })[] =>
  fields
    .filter((field) => /(_id|Id)$/.test(field) && !NAMES_NOTHING.has(field) && !namesAnything(route))
    .map((field) => {
      const key = `${route.operation.subject}.${field}`
      const reference = REFERENCES[key]
      if (reference === undefined)
        throw new Error(
          `${route.method} ${route.path}: its field ${field} names something. ` +
            `Say what, and what naming another's answers, for ${key} in REFERENCES in tests/contract/requests.ts`,
        )
      return { ...reference, field }
    })
