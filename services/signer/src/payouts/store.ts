import { queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** Inserts the request of a payout, or one that is ruled out; null where its id is known. */
export const insertPayout = queryOne({
  name: 'payouts.insert-transfer',
  parameters: {
    id: 'text',
    network: 'text',
    asset: 'text',
    toAddress: 'text',
    keyIndex: 'bigint',
    amount: 'text',
    status: 'text',
    failure: 'text?',
    now: 'timestamptz',
    dueAt: 'timestamptz?',
  },
  text: `
    INSERT INTO transfers (id, purpose, network, asset, to_address, key_index, amount, status, failure, created_at,
      updated_at, due_at)
    VALUES (:id, 'payout', :network, :asset, :toAddress, :keyIndex, :amount, :status, :failure, :now, :now, :dueAt)
    ON CONFLICT (id) DO NOTHING RETURNING id`,
  row: z.object({ id: z.string() }),
})

/** Ends a payout of which nothing is signed; null for any other. */
export const ruleOut = queryOne({
  name: 'payouts.rule-out',
  parameters: { id: 'text', now: 'timestamptz' },
  text: `
    UPDATE transfers SET status = 'failed', failure = 'cancelled', updated_at = :now, due_at = NULL, all_versions = true
    WHERE id = :id AND purpose = 'payout' AND status = 'requested' RETURNING id`,
  row: z.object({ id: z.string() }),
})
