import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Checks whether a relationship or partner has a relationship, active or revoked, or an account. */
export const getOwner = queryOne({
  name: 'adjustments.owner',
  parameters: { ownerId: 'text' },
  text: `
    SELECT EXISTS (SELECT FROM relationships WHERE partner_customer_id = :ownerId)
      OR EXISTS (SELECT FROM relationships WHERE partner_id = :ownerId)
      OR EXISTS (SELECT FROM books.accounts WHERE owner_id = :ownerId) AS known`,
  row: z.object({ known: z.boolean() }),
})

/** The balance of an account; null for one that has no entries. */
export const getBalance = queryOne({
  name: 'adjustments.balance',
  parameters: { account: 'text', unit: 'text' },
  text: `
    SELECT b.amount::text FROM books.accounts AS a JOIN books.balances AS b ON b.account_id = a.id
    WHERE a.name = :account AND a.unit = :unit`,
  row: z.object({ amount: z.string() }),
})

export const insert = queryNone({
  name: 'adjustments.insert',
  parameters: {
    adjustmentId: 'text',
    ownerId: 'text',
    unit: 'text',
    amount: 'numeric',
    isWriteOff: 'boolean',
    reason: 'text',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO adjustments (adjustment_id, owner_id, unit, amount, is_write_off, reason, created_at)
    VALUES (:adjustmentId, :ownerId, :unit, :amount, :isWriteOff, :reason, :now)`,
})

const WriteOffRow = z.object({
  adjustmentId: z.string(),
  ownerId: z.string(),
  unit: z.string(),
  amount: z.string(),
  reason: z.string(),
  createdAt: z.date(),
})
export type WriteOffRow = Readonly<z.infer<typeof WriteOffRow>>

/** Write-offs before a position, newest first. */
export const listWriteOffs = queryMany({
  name: 'adjustments.write-offs',
  parameters: { at: 'timestamptz', id: 'text', limit: 'integer' },
  text: `
    SELECT adjustment_id, owner_id, unit, amount::text, reason, created_at FROM adjustments
    WHERE is_write_off AND (created_at, adjustment_id COLLATE "C") < (:at, :id)
    ORDER BY created_at DESC, adjustment_id COLLATE "C" DESC LIMIT :limit`,
  row: WriteOffRow,
})
