import type { Vault } from '@causeway/chassis'
import type { Customer } from '@causeway/contracts'
import type { CustomerRow } from './store.ts'

/** Binds a sealed e-mail address to its relationship, so that it cannot be moved to another one. */
export const emailContext = (partnerCustomerId: string): string => `relationship-email:${partnerCustomerId}`

const present = (row: CustomerRow, email: string): Customer => ({
  partner_customer_id: row.partnerCustomerId,
  customer_id: row.merchantId,
  external_customer_id: row.externalCustomerId,
  relationship_status: row.relationshipStatus,
  created_at: row.createdAt.toISOString(),
  customer: {
    email,
    name: row.customerName,
    country: row.customerCountry,
    // The relationship's creation: since when other partners know the merchant is not shown (decisions §18).
    created_at: row.createdAt.toISOString(),
  },
})

/** A relationship as its partner sees it (spec: Customer), its e-mail address decrypted. */
export const presentCustomer = (row: CustomerRow, vault: Vault): Customer =>
  present(row, vault.open(row.emailSealed, emailContext(row.partnerCustomerId)).toString())

/** The same for staff, who also see a customer whose personal data was erased: its address is empty. */
export const presentToStaff = (row: CustomerRow, vault: Vault): Customer =>
  row.emailSealed === '' ? present(row, '') : presentCustomer(row, vault)
