import { z } from 'zod'
import { createdFilters } from '../filters.ts'
import { EmailAddress } from '../internet-names.ts'
import { get, post } from '../http/methods.ts'
import { MAX_NAMES, NameList } from '../names.ts'
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

/** A customer with its partner and merchant, as staff see it. */
export const CustomerOfPartner = Customer.extend({ partner_id: idOf('partner') })
export type CustomerOfPartner = z.infer<typeof CustomerOfPartner>

const criteria = {
  email: EmailAddress.optional(),
  external_customer_id: text(255).optional(),
  customer_id: idOf('merchant').optional(),
  name: text(255).optional().meta({ description: 'The beginning of the name, in any case' }),
}

/** Search criteria for customers. */
export const CustomerSearch = z
  .strictObject({
    ...criteria,
    cursor: z.string().optional().meta({ description: '`next_cursor` of the search by `name` to continue' }),
  })
  .refine(
    ({ cursor: _, ...search }) => Object.values(search).filter((value) => value !== undefined).length === 1,
    {
      path: ['email'],
      params: { reason: 'invalid_value', expected: `exactly one of ${Object.keys(criteria).join(', ')}` },
    },
  )
  .refine(({ cursor, name }) => cursor === undefined || name !== undefined, {
    path: ['cursor'],
    params: { reason: 'invalid_value', expected: 'a search by name' },
  })
export type CustomerSearch = z.infer<typeof CustomerSearch>

/** Maximum customers in a search response. */
export const MAX_FOUND_CUSTOMERS = 50
/** Maximum similar names in a search response. */
export const MAX_SIMILAR_CUSTOMERS = 10

/** `onboarding.customers` (spec: Customers; decisions §3). */
export const customers = resource('onboarding.customers', {
  create: operation({
    operationId: 'createCustomer',
    http: post('/customers', { scopes: ['customers:write'], status: { created: 201, existing: 200 } }),
    tag: 'Customers',
    summary: 'Link an external customer to a merchant',
    description:
      'Call it when a customer signs up with you. It finds or creates the merchant by e-mail address and links it to your `external_customer_id`. A repeated call returns 200 with the existing customer, so retry after a lost response.',
    body: z.strictObject({ external_customer_id: text(255), email: EmailAddress }),
    reply: Customer,
    refusals: ['external_id_conflict', 'relationship_conflict'],
    needsPartnerDefaults: true,
  }),
  list: operation({
    operationId: 'listCustomers',
    http: get('/customers', { scopes: ['customers:read'] }),
    tag: 'Customers',
    summary: 'List the customers of the partner, oldest first',
    description:
      'Use it to compare your records with the platform’s, or to find a customer by your own id. To read one customer, get it by its `partner_customer_id`.',
    query: z.object({
      limit: limitParameter(50, 100),
      cursor: cursorParameter,
      external_customer_id: text(255)
        .optional()
        .meta({ description: 'Only the customer with this id of yours' }),
      ...createdFilters,
    }),
    reply: CustomerList,
    refusals: ['invalid_cursor'],
  }),
  get: operation({
    operationId: 'getCustomer',
    http: get('/customers/:customerId', { scopes: ['customers:read'] }),
    tag: 'Customers',
    summary: 'Get a customer',
    description:
      'Use it to read the status of the relationship, and the name and country from the customer’s verification data. `customer.updated` reports changes.',
    params: customerParams,
    reply: Customer,
    refusals: ['resource_not_found'],
  }),
  search: operation({
    operationId: 'searchCustomers',
    http: post('/customers/search'),
    role: 'viewer',
    tag: 'Relationships',
    safe: true,
    summary: 'Find customers of all partners by e-mail address, name, a partner’s own id, or merchant',
    description: `Use it when you do not have the customer’s id. It is a POST so that no e-mail address is in a URL or a log. It returns at most ${MAX_FOUND_CUSTOMERS}. A search by \`name\` finds names that begin with it, in alphabetical order; \`next_cursor\` continues it. Its first page has up to ${MAX_SIMILAR_CUSTOMERS} \`similar\` names too: misspelt ones, and those with the word inside.`,
    caller: 'operator',
    body: CustomerSearch,
    reply: z.object({
      customers: z.array(CustomerOfPartner).max(MAX_FOUND_CUSTOMERS),
      /** Null at the end, and for every search that is not by name. */
      next_cursor: NextCursor,
      similar: z.array(CustomerOfPartner).max(MAX_SIMILAR_CUSTOMERS).optional().meta({
        description:
          'First page of a search by `name`: other customers with a similar name, the most similar first',
      }),
    }),
    refusals: ['invalid_cursor'],
  }),
  listNames: operation({
    operationId: 'listCustomerNames',
    http: post('/customers/names'),
    role: 'viewer',
    tag: 'Relationships',
    safe: true,
    summary: 'List the names of customers and merchants by id',
    description:
      'Use it to show names next to the ids of a list. It is a POST because a list has up to 100 ids. A merchant of several customers has the alphabetically first name.',
    caller: 'operator',
    body: z.strictObject({ ids: z.array(z.union([idOf('relationship'), idOf('merchant')])).max(MAX_NAMES) }),
    reply: NameList,
  }),
})
