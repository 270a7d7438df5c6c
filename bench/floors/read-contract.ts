import { z } from 'zod'

/** The floor's own schemas, in the simplest form, checked at both ends of the hop. */
export const FloorRequest = z.object({
  requestId: z.string(),
  partnerId: z.string(),
  customerId: z.string(),
})

export const FloorCustomer = z.object({
  partner_customer_id: z.string(),
  customer_id: z.string(),
  external_customer_id: z.string(),
  relationship_status: z.enum(['active', 'revoked']),
  created_at: z.string(),
  customer: z.object({
    email: z.string(),
    name: z.string().nullable(),
    country: z.string().nullable(),
    created_at: z.string().nullable(),
  }),
})

export const FLOOR_SUBJECT = 'floor.customers.read'
export const FLOOR_PARTNER = 'prt_floor'
