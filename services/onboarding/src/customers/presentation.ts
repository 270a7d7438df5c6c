import type { Vault } from '@causeway/chassis'
import type { Customer } from '@causeway/contracts'
import type { CustomerRow } from './store.ts'

/** What a sealed e-mail address is bound to, so that it cannot be moved to another relationship. */
export const emailContext = (partnerCustomerId: string): string => `relationship-email:${partnerCustomerId}`

/** A relationship as its partner sees it (spec: Customer), its e-mail address opened. */
export const presentCustomer = (row: CustomerRow, vault: Vault): Customer => ({
  partner_customer_id: row.partner_customer_id,
  customer_id: row.customer_id,
  external_customer_id: row.external_customer_id,
  relationship_status: row.relationship_status,
  created_at: row.created_at.toISOString(),
  customer: {
    email: vault.open(row.email_sealed, emailContext(row.partner_customer_id)).toString(),
    name: row.customer_name,
    country: row.customer_country,
    // When this relationship was made: since when others know the merchant is not told (decisions §18).
    created_at: row.created_at.toISOString(),
  },
})
