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
/** An account of a merchant as its latest seal has it, up to a seal. */
export type Leaf = Readonly<z.infer<typeof Leaf>>

/** A merchant's accounts, as they were after a seal, by unit. */
export const listLeaves = queryMany({
  name: 'statements.leaves',
  parameters: { merchantId: 'text', seal: 'bigint' },
  text: `
    SELECT a.id::text AS account_id, a.owner_id, a.balance, a.unit, latest.*
    FROM (${OWNERS_OF_MERCHANT}) AS owner
    JOIN books.accounts AS a USING (owner_id)
    CROSS JOIN LATERAL (
      SELECT l.seal::integer, l.place, s.month, s.closes AS closed, l.first::text, l.last::text, l.opening::text,
        l.closing::text, encode(l.lines, 'hex') AS lines, encode(l.nonce, 'hex') AS nonce
      FROM books.seal_leaves AS l JOIN books.seals AS s ON s.number = l.seal
      WHERE l.account_id = a.id AND l.seal <= :seal ORDER BY l.seal DESC LIMIT 1
    ) AS latest
    ORDER BY a.unit COLLATE "C", a.id`,
  row: Leaf,
})
