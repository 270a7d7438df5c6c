import { queryMany, queryNone } from '@causeway/chassis'
import { z } from 'zod'

/** Lists orders whose balances are to be checked. */
export const insertBalanceChecks = queryNone({
  name: 'balance-checks.insert',
  parameters: { orderIds: 'text[]' },
  text: 'INSERT INTO balance_checks (order_id) SELECT unnest(:orderIds) ON CONFLICT DO NOTHING',
})

const BalanceCheck = z.object({
  orderId: z.string(),
  address: z.string(),
  /** The order's number on its network, never used twice. */
  derivationIndex: z.number(),
  /** What is known to have arrived, in ETH. */
  known: z.string(),
  isOver: z.boolean(),
})
export type BalanceCheck = Readonly<z.infer<typeof BalanceCheck>>

/** The orders whose turn it is: those that were checked longest ago. */
export const listBalanceChecks = queryMany({
  name: 'balance-checks.list',
  parameters: { below: 'bigint', now: 'timestamptz', limit: 'integer' },
  text: `
    SELECT c.order_id, o.watch_address AS address, o.derivation_index, known.amount AS known,
      o.status NOT IN ('pending', 'underpaid', 'expired') OR o.expires_at < :now - interval '7 days' AS is_over
    FROM (SELECT order_id FROM balance_checks WHERE checked_number < :below ORDER BY checked_number LIMIT :limit) c
    CROSS JOIN LATERAL (SELECT * FROM crypto_orders WHERE id = c.order_id LIMIT 1) o
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(d.amount), 0) AS amount FROM crypto_deposits d
      WHERE d.order_id = c.order_id AND d.asset = 'ETH' AND d.block_number IS NOT NULL
    ) known
    ORDER BY c.order_id`,
  row: BalanceCheck,
})

export const markBalancesChecked = queryNone({
  name: 'balance-checks.mark',
  parameters: { orderIds: 'text[]', number: 'bigint' },
  text: 'UPDATE balance_checks SET checked_number = :number WHERE order_id = ANY (:orderIds)',
})

/** Orders that ended are checked no more. */
export const deleteBalanceChecks = queryNone({
  name: 'balance-checks.delete',
  parameters: { orderIds: 'text[]' },
  text: 'DELETE FROM balance_checks WHERE order_id = ANY (:orderIds)',
})
