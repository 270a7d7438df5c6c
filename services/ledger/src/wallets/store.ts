import { queryMany } from '@causeway/chassis'
import { z } from 'zod'
import { OWNERS_OF_MERCHANT } from '../relationships/store.ts'

const SUMS = ['pending', 'available', 'reserved', 'on_the_way']
  .map((balance) => `coalesce(sum(b.amount) FILTER (WHERE a.balance = '${balance}'), 0)::text AS ${balance}`)
  .join(',\n      ')

const sums = {
  unit: z.string(),
  pending: z.string(),
  available: z.string(),
  reserved: z.string(),
  onTheWay: z.string(),
}
const WalletRow = z.object({ ...sums, nextAvailableAt: z.date().nullable() })
export type WalletRow = Readonly<z.infer<typeof WalletRow>>

/** The wallets of the owners that `owners` selects as `owner_id`. */
const walletsOf = (owners: string): string => `
  SELECT w.*, due.next_available_at
  FROM (
    SELECT a.owner_id, a.unit,
      ${SUMS}
    FROM (${owners}) AS owner JOIN books.accounts AS a USING (owner_id) LEFT JOIN books.balances AS b ON b.account_id = a.id
    GROUP BY a.owner_id, a.unit
  ) AS w
  LEFT JOIN LATERAL (
    SELECT min(s.due_at) AS next_available_at
    FROM books.scheduled AS s
    WHERE jsonb_path_query_array(s.posting, '$.transfers[*].credit') @> jsonb_build_array(w.owner_id || ':available')
      AND s.posting -> 'transfers' @> jsonb_build_array(
        jsonb_build_object('credit', w.owner_id || ':available', 'unit', w.unit))
  ) AS due ON true
  ORDER BY w.unit`

/** The wallets of a relationship of this partner, which has granted the capability. */
export const listWallets = queryMany({
  name: 'wallets.list',
  parameters: { partnerId: 'text', partnerCustomerId: 'text' },
  text: walletsOf(`
    SELECT r.partner_customer_id AS owner_id FROM relationships AS r
    WHERE r.partner_id = :partnerId AND r.partner_customer_id = :partnerCustomerId AND r.status = 'active'
      AND 'wallets' = ANY (r.grants)`),
  row: WalletRow,
})

/** A partner's own wallets. */
export const listPartnerWallets = queryMany({
  name: 'wallets.list-of-partner',
  parameters: { partnerId: 'text' },
  text: walletsOf('SELECT :partnerId AS owner_id'),
  row: WalletRow,
})

/** A merchant's balances by owner and unit; revoked relationships are included, because the money stays owed. */
export const listMerchantBalances = queryMany({
  name: 'wallets.list-of-merchant',
  parameters: { merchantId: 'text' },
  text: `
    SELECT a.owner_id AS partner_customer_id, a.unit,
      ${SUMS}
    FROM (${OWNERS_OF_MERCHANT}) AS owner
    JOIN books.accounts AS a USING (owner_id)
    LEFT JOIN books.balances AS b ON b.account_id = a.id
    GROUP BY GROUPING SETS ((a.owner_id, a.unit), (a.unit))
    ORDER BY a.owner_id NULLS LAST, a.unit`,
  row: z.object({ ...sums, partnerCustomerId: z.string().nullable() }),
})
