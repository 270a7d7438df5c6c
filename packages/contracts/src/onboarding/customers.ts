import { z } from 'zod'
import { EmailAddress } from '../internet-names.ts'
import { operation, resource } from '../operation.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, text, Timestamp } from '../primitives.ts'

/** Status of a relationship; its partner sees active ones only (decisions §3). */
export const RelationshipStatus = z.enum(['active', 'revoked'])
export type RelationshipStatus = z.infer<typeof RelationshipStatus>

/** A relationship as its partner sees it (spec: Customer). */
export const Customer = z.object({
  partner_customer_id: idOf('relationship'),
  customer_id: idOf('merchant'),
  external_customer_id: z.string(),
  relationship_status: RelationshipStatus,
  created_at: Timestamp,
  customer: z.object({
    email: z.string(),
    name: z.string().nullable(),
    country: z.string().nullable(),
    created_at: Timestamp.nullable(),
  }),
})
export type Customer = z.infer<typeof Customer>

export const customerParams = z.object({ customerId: idOf('relationship') })

export const CustomerList = z.object({ customers: z.array(Customer), next_cursor: NextCursor })

/** A customer with whose it is, as staff see it. */
export const CustomerOfPartner = Customer.extend({ partner_id: idOf('partner') })
export type CustomerOfPartner = z.infer<typeof CustomerOfPartner>

/** What a customer can be found by. */
export const CustomerSearch = z
  .strictObject({
    email: EmailAddress.optional(),
    external_customer_id: text(255).optional(),
    customer_id: idOf('merchant').optional(),
  })
  .refine((search) => Object.values(search).filter((value) => value !== undefined).length === 1, {
    path: ['email'],
    params: { reason: 'invalid_value', expected: 'exactly one of the fields' },
  })
export type CustomerSearch = z.infer<typeof CustomerSearch>

/** Most customers that a search answers. */
export const MAX_FOUND_CUSTOMERS = 50

/** `onboarding.customers` (spec: Customers; decisions §3). */
export const customers = resource('onboarding.customers', {
  create: operation({
    operationId: 'createCustomer',
    summary: 'Link an external customer to a merchant',
    description:
      'Call it when one of your customers signs up with you. It finds or creates the merchant by e-mail and links it to your `external_customer_id`; the same id and e-mail again answer 200 with the customer that exists: repeat a call whose answer was lost.',
    body: z.strictObject({ external_customer_id: text(255), email: EmailAddress }),
    reply: Customer,
    refusals: ['external_id_conflict', 'relationship_conflict'],
    needsPartnerDefaults: true,
  }),
  list: operation({
    operationId: 'listCustomers',
    summary: 'List the customers of the partner, oldest first',
    description:
      'Use it to compare your own records with the platform’s, page by page. To read one customer, get it by its `partner_customer_id`.',
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: CustomerList,
    refusals: ['invalid_cursor'],
  }),
  get: operation({
    operationId: 'getCustomer',
    summary: 'Read one customer',
    description:
      'Read it for the status of the relationship and the name and country of the customer’s own verification data. `customer.updated` tells when to read it again.',
    params: customerParams,
    reply: Customer,
    refusals: ['resource_not_found'],
  }),
  search: operation({
    operationId: 'searchCustomers',
    summary: 'Find customers of all partners by e-mail address, by a partner’s own id or by merchant',
    description: `Use it where you have something of a customer, but not its id. It is a POST, so that an address is in no URL and no log. It answers the first ${MAX_FOUND_CUSTOMERS}.`,
    caller: 'operator',
    body: CustomerSearch,
    reply: z.object({ customers: z.array(CustomerOfPartner).max(MAX_FOUND_CUSTOMERS) }),
  }),
})
