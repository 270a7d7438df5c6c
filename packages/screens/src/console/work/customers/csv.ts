import { relationships, type ListedCustomer } from '@causeway/contracts'
import type { Answer } from '../../../screen.ts'
import type { StaffRequest } from '../../frame.ts'
import { filterOf } from './filter.ts'

const PAGE_ROWS = 100

/**
 * Most customers in a file. Each page of them is a call, which counts towards the rate limit of the person (a burst of
 * `RATE_LIMIT_BURST`, 200) and has an entry in the audit log.
 */
export const MAX_FILE_ROWS = 10_000

/** Columns of the file. It has no e-mail addresses: a list of them is not needed to see where customers stand. */
const COLUMNS: Readonly<Record<string, (row: ListedCustomer) => string | null>> = {
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

/**
 * RFC 4180 with a header; null is empty. A text that a spreadsheet would compute begins with an apostrophe, and one with a
 * line break is quoted, so that it begins no row. The byte order mark lets spreadsheets read UTF-8.
 */
const writeFile = async (rows: readonly ListedCustomer[]): Promise<Uint8Array> => {
  const { stringify } = await import('csv-stringify/sync')
  const cells = rows.map((row) => Object.values(COLUMNS).map((cellOf) => cellOf(row)))
  const file = stringify([Object.keys(COLUMNS), ...cells], {
    record_delimiter: 'windows',
    escape_formulas: true,
    quoted_match: /[\r\n]/,
    bom: true,
  })
  return Buffer.from(file)
}

/** Sends the customers of a filter as CSV, the newest first, at most {@link MAX_FILE_ROWS}. */
export const downloadCustomers = async ({ ask, query }: StaffRequest): Promise<Answer> => {
  const filter = filterOf(query)
  const rows: ListedCustomer[] = []
  let cursor: string | null = null
  do {
    const page: Readonly<{ limit: string; cursor?: string }> = {
      limit: String(PAGE_ROWS),
      ...(cursor !== null && { cursor }),
    }
    const reply = await ask(relationships.listByStaff, { query: { ...filter, ...page } })
    if (!reply.ok) return { kind: 'error', code: reply.code }
    rows.push(...reply.value.customers)
    cursor = reply.value.next_cursor
  } while (cursor !== null && rows.length < MAX_FILE_ROWS)
  const isWhole = cursor === null
  return {
    kind: 'file',
    type: 'text/csv; charset=utf-8',
    name: isWhole ? 'customers.csv' : `customers-newest-${MAX_FILE_ROWS}.csv`,
    bytes: await writeFile(rows.slice(0, MAX_FILE_ROWS)),
  }
}
