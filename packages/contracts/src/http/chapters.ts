type Group = Readonly<{ name: string; tags: readonly Readonly<{ name: string; description: string }>[] }>

/** Chapters of the public API document, grouped by reader. */
export const PUBLIC_CHAPTERS = [
  {
    name: 'Partner',
    tags: [
      {
        name: 'Customers',
        description: 'The merchants that a partner has linked, and what each may use.',
      },
      {
        name: 'Brand',
        description: 'Name, logo and colour of the pages that customers and their buyers see.',
      },
      {
        name: 'Verification',
        description: 'The data, documents and requirements of a customer’s case, and its agreements.',
      },
      {
        name: 'Crypto orders',
        description: 'Crypto payments at a locked rate, and the purchase of the crypto from a provider.',
      },
      {
        name: 'Card orders',
        description: 'Checkout configurations, and card payments on a hosted page.',
      },
      {
        name: 'Refunds',
        description: 'Refunds of card orders to their payers.',
      },
      {
        name: 'Chargebacks',
        description: 'Disputes of card orders, and the payers that they block.',
      },
      {
        name: 'Balances',
        description: 'What is owed to customers and to the partner, and the entries that add up to it.',
      },
      {
        name: 'Partner webhooks',
        description: 'Where a partner’s events go, and what was delivered there.',
      },
      {
        name: 'Partner events',
        description:
          'The events that a partner’s destination receives: `{event_id, event_type, created_at, partner_id, data}`. Deliveries can repeat and arrive out of order: process each `event_id` once. Retries follow after 1, 5 and 25 minutes, then 2, 10 and 24 hours.',
      },
    ],
  },
  {
    name: 'Merchant',
    tags: [
      {
        name: 'Webhooks',
        description: 'A merchant’s own webhooks.',
      },
      {
        name: 'Webhook log',
        description: 'Events, their deliveries and redeliveries.',
      },
      {
        name: 'Merchant balances',
        description: 'What is owed to a merchant, and the entries that add up to it.',
      },
      {
        name: 'API keys',
        description: 'The keys with which a merchant calls the API.',
      },
      {
        name: 'Merchant events',
        description:
          'The events that a merchant’s webhook receives: `{event, order}`, or `{event, data}` for purchases. Deliveries can repeat. At most 3 attempts, 15 minutes apart.',
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
      {
        name: 'Files',
        description: 'Images, agreements, documents and reports, at the URLs that responses contain.',
      },
      { name: 'Platform', description: 'Health and capabilities of the platform.' },
    ],
  },
  {
    name: 'Callbacks',
    tags: [
      { name: 'Callbacks', description: 'Where card processors and onramp providers send their notices.' },
    ],
  },
] as const satisfies readonly Group[]

/** Chapters of the API document for staff. */
export const OPERATOR_CHAPTERS = [
  {
    name: 'Staff',
    tags: [
      {
        name: 'Partners',
        description: 'Partners, their OAuth clients and the clients’ keys.',
      },
      {
        name: 'Cases',
        description: 'The review of merchants: cases, documents, requirements and agreements.',
      },
      {
        name: 'Relationships',
        description: 'What a partner’s customer may use, and whether the partner still serves it.',
      },
      {
        name: 'Payments',
        description: 'Processors, disputes, refunds, payouts, and money that needs a decision.',
      },
      {
        name: 'Ledger',
        description: 'The books: accounts, postings, the trial balance, and what needs a look.',
      },
      {
        name: 'Webhooks',
        description: 'Destinations of partners and webhook URLs of merchants.',
      },
      {
        name: 'Webhook log',
        description: 'Events of partners and merchants, their deliveries and redeliveries.',
      },
      {
        name: 'Parked events',
        description: 'Events that a service failed to process.',
      },
      {
        name: 'Personal data',
        description: 'Export and erasure of a person’s data.',
      },
      {
        name: 'Keys and audit',
        description: 'Keys of merchants and staff, and the log of staff actions.',
      },
    ],
  },
] as const satisfies readonly Group[]

type NameIn<G extends readonly Group[]> = G[number]['tags'][number]['name']
/** The chapter of the API document that describes an operation. */
export type Tag = NameIn<typeof PUBLIC_CHAPTERS> | NameIn<typeof OPERATOR_CHAPTERS>
