import { relationships, type ListedCustomer } from '@causeway/contracts'
import type { Answer } from '../../../screen.ts'
import type { StaffRequest } from '../../frame.ts'
import { csvFile, readNewest, type FileColumns } from '../../../lists/csv.ts'
import { filterOf } from './filter.ts'

/** Columns of the file. It has no e-mail addresses: a list of them is not needed to see where customers stand. */
const COLUMNS: FileColumns<ListedCustomer> = {
  created_at: (row) => row.created_at,
  name: (row) => row.customer.name,
  partner_id: (row) => row.partner_id,
  external_customer_id: (row) => row.external_customer_id,
  partner_customer_id: (row) => row.partner_customer_id,
  customer_id: (row) => row.customer_id,
  country: (row) => row.customer.country,
  relationship_status: (row) => row.relationship_status,
  link_confirmed: (row) => String(row.link_confirmed),
  verification_status: (row) => row.verification_status,
}

/** Sends the customers of a filter as CSV, the newest first. */
export const downloadCustomers = async ({ ask, query }: StaffRequest): Promise<Answer> => {
  const filter = filterOf(query)
  const newest = await readNewest(async (page) => {
    const reply = await ask(relationships.listByStaff, { query: { ...filter, ...page } })
    return reply.ok ? { ok: true, rows: reply.value.customers, next: reply.value.next_cursor } : reply
  })
  return newest.ok ? csvFile('customers', COLUMNS, newest) : { kind: 'error', code: newest.code }
}
