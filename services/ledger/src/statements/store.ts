import { queryMany } from '@causeway/chassis'
import { BalanceName } from '@causeway/contracts'
import { z } from 'zod'
import { OWNERS_OF_MERCHANT } from '../relationships/store.ts'

const Leaf = z.object({
  accountId: z.string(),
  ownerId: z.string(),
  balance: BalanceName,
  unit: z.string(),
  seal: z.number(),
  place: z.number(),
  month: z.string(),
  closed: z.boolean(),
  first: z.string(),
  last: z.string(),
  opening: z.string(),
  closing: z.string(),
  lines: z.string(),
  nonce: z.string(),
})
/** An account as its latest seal has it, up to a seal. */
export type Leaf = Readonly<z.infer<typeof Leaf>>

/** Accounts of owners, as they were after a seal, by unit. */
const leavesOf = (owners: string): string => `
    SELECT a.id::text AS account_id, a.owner_id, a.balance, a.unit, latest.*
    FROM (${owners}) AS owner
    JOIN books.accounts AS a USING (owner_id)
    CROSS JOIN LATERAL (
      SELECT l.seal::integer, l.place, s.month, s.closes AS closed, l.first::text, l.last::text, l.opening::text,
        l.closing::text, encode(l.lines, 'hex') AS lines, encode(l.nonce, 'hex') AS nonce
      FROM books.seal_leaves AS l JOIN books.seals AS s ON s.number = l.seal
      WHERE l.account_id = a.id AND l.seal <= :seal ORDER BY l.seal DESC LIMIT 1
    ) AS latest
    ORDER BY a.unit COLLATE "C", a.id`

/** A merchant's accounts. */
export const listLeaves = queryMany({
  name: 'statements.leaves',
  parameters: { merchantId: 'text', seal: 'bigint' },
  text: leavesOf(OWNERS_OF_MERCHANT),
  row: Leaf,
})

/** A partner's accounts: its earnings. */
export const listPartnerLeaves = queryMany({
  name: 'statements.partner-leaves',
  parameters: { partnerId: 'text', seal: 'bigint' },
  text: leavesOf('SELECT :partnerId AS owner_id'),
  row: Leaf,
})
