import type { OperationRoute } from '@causeway/contracts/http'
import { orderBody } from '../journeys/platform.ts'
import { platformIds } from './parameters.ts'
import { reportBody, type Tenant } from './tenant.ts'

/** A file that is detected as a PDF. */
const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n').toString('base64')

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
  'onramp.orders.create': () => ({ fiat: 'EUR' }),
  'webhooks.registrations.create': ({ receiverUrl }) => ({ url: receiverUrl }),
  'webhooks.registrations.update': () => ({ integrationId: null }),
  'webhooks.redeliveries.create-own': () => since,
  'gateway.partners.create': () => ({ name: 'Made by the matrix' }),
  'gateway.partners.update': () => ({ name: 'Renamed' }),
  'gateway.staff-keys.create': () => ({ name: 'Made by the matrix', role: 'viewer' }),
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
  'payments.crypto-orders.refund': () => ({ to_address: RECIPIENT }),
  'payments.unattributed-money.apply': () => ({ merchant_consent: 'By e-mail' }),
  'payments.unattributed-money.keep': () => ({ reason: 'Not worth its network fee' }),
  'payments.unattributed-money.handled': () => ({ reason: 'Sent back by hand' }),
  'payments.unattributed-money.refund': () => ({ to_address: RECIPIENT }),
  'ledger.adjustments.create': ({ ids }) => ({
    partner_customer_id: ids.relationship,
    unit: 'EUR',
    amount: 100,
    reason: 'Goodwill',
  }),
  'ledger.reports.create': () => reportBody,
  'payments.orders.search': () => ({ reference: 'contract' }),
  'onboarding.customers.search': ({ email }) => ({ email }),
  'payments.payers.export': () => ({ email: 'nobody@example.com' }),
  'payments.payers.erase': () => ({ email: 'nobody@example.com' }),
  'ledger.payouts.announce': ({ ids }) => ({
    customer_id: ids.merchant,
    amount_cents: 100,
    currency: 'EUR',
    scheduled_for: '2030-01-01T00:00:00Z',
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
 * orders not cancelled, their agreement published, another not in force, their links confirmed, their relationships active.
 */
const STATUSES_FOR_OWNERS: Readonly<Record<string, number>> = {
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
  'gateway.pending-actions.get': 404,
  'gateway.pending-actions.confirm': 404,
  'gateway.pending-actions.decline': 404,
  'gateway.pending-actions.take-result': 404,
  'ledger.books.get-journal': 404,
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
  // Empty lists (decisions §45).
  'payments.chargebacks.list-by-staff': [200, null],
  'refunds.refunds.list-by-staff': [200, null],
  // A month is not an object: a malformed one is a mistake in the request (decisions §48).
  'ledger.statements.get': [400, 'invalid_request'],
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

const REFERENCES: Readonly<Record<string, Reference>> = {
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
