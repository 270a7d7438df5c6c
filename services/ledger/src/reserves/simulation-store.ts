import { queryMany } from '@causeway/chassis'
import { EntryKind } from '@causeway/contracts'
import { z } from 'zod'

const AccountRow = z.object({
  accountId: z.string(),
  ownerId: z.string(),
  unit: z.string(),
  entries: z.string(),
})
export type AccountRow = Readonly<z.infer<typeof AccountRow>>

/** The available balances of a merchant's relationships. */
export const listAccounts = queryMany({
  name: 'reserve-simulation.accounts',
  parameters: { merchantId: 'text' },
  text: `
    SELECT a.id::text AS account_id, a.owner_id, a.unit, b.entries::text
    FROM relationships AS r
    JOIN books.accounts AS a ON a.owner_id = r.partner_customer_id AND a.balance = 'available'
    JOIN books.balances AS b ON b.account_id = a.id
    WHERE r.merchant_id = :merchantId`,
  row: AccountRow,
})

/** A page of an account's entries, newest first, except those of reserves. */
export const listEntries = queryMany({
  name: 'reserve-simulation.entries',
  parameters: { accountId: 'bigint', after: 'bigint', through: 'bigint' },
  text: `
    SELECT coalesce(j.order_key, j.order_id) AS order_ref, j.source, e.kind, e.amount::text, e.balance_after::text,
      j.effective_at AS available_at, coalesce(f.effective_at, j.effective_at) AS paid_at,
      f.reverses IS NOT NULL AS is_reversal, j.recorded_at
    FROM books.entries AS e
    JOIN books.journal AS j USING (seq)
    LEFT JOIN books.journal AS f ON f.source = j.source AND f.rule = 'fact'
    WHERE e.account_id = :accountId AND e.number > :after AND e.number <= :through
      AND e.kind NOT IN ('reserve', 'reserve_released')
    ORDER BY e.number DESC`,
  row: z.object({
    orderRef: z.string().nullable(),
    source: z.string(),
    kind: EntryKind,
    amount: z.string(),
    balanceAfter: z.string(),
    availableAt: z.date(),
    paidAt: z.date(),
    isReversal: z.boolean(),
    recordedAt: z.date(),
  }),
})
