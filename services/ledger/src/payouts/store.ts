import { queryMany, queryOne } from '@causeway/chassis'
import { EntryKind } from '@causeway/contracts'
import { z } from 'zod'
import { PAYOUT_STEPS } from './payout.ts'

/** Amounts in the unit's smallest part. `amount` and `advance` are null where nothing was paid out. */
export const payOut = queryOne({
  name: 'payouts.pay-out',
  parameters: { payout: 'jsonb', accounts: 'jsonb', posting: 'jsonb', now: 'timestamptz' },
  text: `
    SELECT amount::text, advance::text, entry_count, available::text
    FROM books.pay_out(:payout, :accounts, :posting -> 0, :now)`,
  row: z.object({
    amount: z.string().nullable(),
    advance: z.string().nullable(),
    entryCount: z.number(),
    available: z.string(),
  }),
})

/** True for a step that is new. Fails with SQLSTATE LB003 for one that the payout cannot take. */
export const stepPayout = queryOne({
  name: 'payouts.step',
  parameters: {
    payoutId: 'text',
    step: 'text',
    counterpart: 'text?',
    at: 'timestamptz',
    accounts: 'jsonb',
    postings: 'jsonb',
    now: 'timestamptz',
  },
  text: `
    SELECT books.step_payout(:payoutId, :step, :counterpart, :at, :accounts, :postings -> 0, :now) AS is_new`,
  row: z.object({ isNew: z.boolean() }),
})

const PaidOutRow = z.object({
  payoutId: z.string(),
  ownerId: z.string(),
  unit: z.string(),
  amount: z.string(),
  fee: z.string(),
  advance: z.string(),
  entryCount: z.number(),
  counterpart: z.string().nullable(),
})

const PAID_OUT = `
  SELECT p.payout_id, a.owner_id, a.unit, p.amount::text, p.fee::text, p.advance::text, p.entry_count, (
      SELECT s.counterpart FROM books.payout_steps AS s WHERE s.payout_id = p.payout_id AND s.step = 'settled'
    ) AS counterpart
  FROM books.payouts AS p JOIN books.accounts AS a ON a.id = p.account_id`

export const getPaidOut = queryOne({
  name: 'payouts.paid-out',
  parameters: { payoutId: 'text' },
  text: `${PAID_OUT} WHERE p.payout_id = :payoutId`,
  row: PaidOutRow,
})

/** The next payouts by their ids, each with one of its steps. */
export const listSteps = queryMany({
  name: 'rebuild.payouts',
  parameters: { after: 'text', limit: 'integer' },
  text: `
    SELECT paid.*, s.step, s.effective_at AS at
    FROM (${PAID_OUT} WHERE p.payout_id > :after ORDER BY p.payout_id LIMIT :limit) AS paid
    JOIN books.payout_steps AS s ON s.payout_id = paid.payout_id ORDER BY paid.payout_id`,
  row: PaidOutRow.extend({ step: z.enum(PAYOUT_STEPS), at: z.date() }),
})

const SumRow = z.object({
  payoutId: z.string(),
  advance: z.string(),
  entryCount: z.number(),
  kind: EntryKind.nullable(),
  amount: z.string().nullable(),
})
export type SumRow = Readonly<z.infer<typeof SumRow>>

/** The sums of payouts' entries by their kinds; one row without a kind for a payout that pays no entry. */
export const listSums = queryMany({
  name: 'payouts.sums',
  parameters: { payoutIds: 'text[]' },
  text: `
    SELECT p.payout_id, p.advance::text, p.entry_count, e.kind, sum(i.amount)::text AS amount
    FROM books.payouts AS p
    LEFT JOIN books.payout_items AS i USING (payout_id)
    LEFT JOIN books.entries AS e ON e.account_id = i.account_id AND e.number = i.number
    WHERE p.payout_id = ANY (:payoutIds)
    GROUP BY p.payout_id, e.kind`,
  row: SumRow,
})
