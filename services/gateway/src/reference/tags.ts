import type { OperationRoute } from '../http/route.ts'

type Tag = Readonly<{ name: string; description: string; resources?: readonly string[] }>
type Group = Readonly<{ name: string; tags: readonly Tag[] }>

/** Chapters of the public document by reader; resources are those of the contracts. */
export const PUBLIC_GROUPS: readonly Group[] = [
  {
    name: 'Partner',
    tags: [
      {
        name: 'Customers',
        description: 'The merchants whom a partner has linked, and what each may use.',
        resources: [
          'onboarding.customers',
          'onboarding.capabilities',
          'onboarding.next-steps',
          'onboarding.onboarding-links',
        ],
      },
      {
        name: 'Verification',
        description: 'The data, documents and requirements of a customer’s case, and its agreements.',
        resources: [
          'onboarding.verifications',
          'onboarding.documents',
          'onboarding.requirements',
          'onboarding.agreements',
        ],
      },
      {
        name: 'Crypto orders',
        description: 'Payments in crypto at a locked rate, and the purchase of that crypto from a provider.',
        resources: ['payments.crypto-orders', 'onramp.orders'],
      },
      {
        name: 'Card orders',
        description: 'Checkout configurations, and payments by card on a hosted page.',
        resources: ['payments.integrations', 'payments.fiat-orders'],
      },
      {
        name: 'Refunds',
        description: 'Giving payers of card orders their money back.',
        resources: ['refunds.refunds'],
      },
      {
        name: 'Chargebacks',
        description: 'Disputes of card orders, and the payers who are blocked after one.',
        resources: ['payments.chargebacks', 'payments.chargeback-cases'],
      },
      {
        name: 'Partner webhooks',
        description: 'Where a partner’s events go. Staff keep the destinations.',
        resources: ['webhooks.subscriptions'],
      },
      {
        name: 'Partner events',
        description:
          'What a partner’s destination is sent: `{event_id, event_type, created_at, partner_id, data}`. Deliveries may repeat and overtake each other: handle each `event_id` once. Sent again after 1 minute, 5, 25, 2 hours, 10 and 24.',
      },
    ],
  },
  {
    name: 'Merchant',
    tags: [
      {
        name: 'Webhooks',
        description: 'A merchant’s own receivers of events.',
        resources: ['webhooks.registrations'],
      },
      {
        name: 'Webhook log',
        description: 'Events, their deliveries, and sending them again.',
        resources: ['webhooks.deliveries', 'webhooks.events', 'webhooks.redeliveries'],
      },
      {
        name: 'API keys',
        description: 'The keys with which a merchant calls.',
        resources: ['gateway.own-api-keys', 'gateway.portal-links'],
      },
      {
        name: 'Merchant events',
        description:
          'What a merchant’s webhook is sent: `{event, order}`, or `{event, data}` of purchases. Deliveries may repeat. Sent again after 15 minutes, 3 attempts in all.',
      },
    ],
  },
  {
    name: 'Everyone',
    tags: [
      {
        name: 'Tokens',
        description: 'Access tokens of partners, the keys that sign them, and their metadata.',
      },
      { name: 'Files', description: 'Images, agreements and documents, at the addresses that answers name.' },
      { name: 'Platform', description: 'Whether the platform is up, and what it offers.' },
    ],
  },
  {
    name: 'Callbacks',
    tags: [
      { name: 'Callbacks', description: 'Where card processors and onramp providers send their notices.' },
    ],
  },
]

/** Chapters of the document for staff. */
export const OPERATOR_GROUPS: readonly Group[] = [
  {
    name: 'Staff',
    tags: [
      {
        name: 'Partners',
        description: 'Partners, their OAuth clients and the keys of these.',
        resources: ['gateway.partners', 'gateway.clients', 'gateway.client-keys'],
      },
      {
        name: 'Cases',
        description: 'The review of merchants: cases, documents, requirements and agreements.',
        resources: [
          'onboarding.reviews',
          'onboarding.documents',
          'onboarding.requirements',
          'onboarding.agreements',
        ],
      },
      {
        name: 'Relationships',
        description: 'What a customer of a partner may use, and whether the partner still serves it.',
        resources: [
          'onboarding.customers',
          'onboarding.capabilities',
          'onboarding.next-steps',
          'onboarding.relationships',
        ],
      },
      {
        name: 'Payments',
        description: 'Processors, disputes, refunds, payouts, and money that needs a decision.',
        resources: [
          'payments.integrations',
          'payments.chargebacks',
          'payments.orders',
          'payments.crypto-orders',
          'payments.fiat-orders',
          'payments.unattributed-money',
          'payments.late-payments',
          'payments.chargeback-cases',
          'payments.payouts',
          'refunds.refunds',
          'refunds.reconciliation',
        ],
      },
      {
        name: 'Webhooks',
        description: 'Destinations of partners and URLs of merchants.',
        resources: ['webhooks.destinations', 'webhooks.integration-urls'],
      },
      {
        name: 'Webhook log',
        description: 'Events of partners and merchants, their deliveries, and sending them again.',
        resources: ['webhooks.deliveries', 'webhooks.events', 'webhooks.redeliveries'],
      },
      {
        name: 'Parked events',
        description: 'Events that a service of the platform could not handle.',
        resources: ['gateway.parked-events'],
      },
      {
        name: 'Personal data',
        description: 'Export and erasure of what is stored about a person.',
        resources: ['onboarding.personal-data', 'payments.payers'],
      },
      {
        name: 'Keys and audit',
        description: 'Keys of merchants and of staff, and the log of what staff did.',
        resources: [
          'gateway.api-keys',
          'gateway.staff-keys',
          'gateway.sessions',
          'gateway.portal-links',
          'gateway.pending-actions',
          'gateway.audit',
        ],
      },
    ],
  },
]

/** @throws when no chapter takes the resource of a route */
export const tagOf = (groups: readonly Group[], { operation }: OperationRoute): string => {
  const resource = operation.subject.split('.').slice(0, 2).join('.')
  const tag = groups.flatMap(({ tags }) => tags).find(({ resources }) => resources?.includes(resource))
  if (tag === undefined) throw new Error(`No chapter takes ${resource}: add it in reference/tags.ts`)
  return tag.name
}

/** `tags` and `x-tagGroups` of a document. */
export const tagsOf = (groups: readonly Group[]) => ({
  tags: groups.flatMap(({ tags }) => tags.map(({ name, description }) => ({ name, description }))),
  'x-tagGroups': groups.map(({ name, tags }) => ({ name, tags: tags.map((tag) => tag.name) })),
})
