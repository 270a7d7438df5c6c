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

/** `onboarding.customers` (spec: Customers; decisions §3). */
export const customers = resource('onboarding.customers', {
  create: operation({
    summary: 'Link an external customer to a merchant',
    body: z.strictObject({ external_customer_id: text(255), email: EmailAddress }),
    reply: Customer,
    refusals: ['external_id_conflict', 'relationship_conflict'],
    needsPartnerDefaults: true,
  }),
  list: operation({
    summary: 'List the customers of the partner, oldest first',
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: z.object({ customers: z.array(Customer), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  get: operation({
    summary: 'Read one customer',
    params: customerParams,
    reply: Customer,
    refusals: ['resource_not_found'],
  }),
})
