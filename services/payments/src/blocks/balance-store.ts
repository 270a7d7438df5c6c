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
  isOpen: z.boolean(),
  expiresAt: z.date(),
  /** Amount known to have arrived, in ETH; below, the part in final blocks. */
  known: z.string(),
  knownFinal: z.string(),
  /** Amount known to have left in final blocks. */
  spent: z.string(),
})
export type BalanceCheck = Readonly<z.infer<typeof BalanceCheck>>

/** The orders whose turn it is, those first that have waited longest. */
export const listBalanceChecks = queryMany({
  name: 'balance-checks.list',
  parameters: { head: 'bigint', final: 'bigint', limit: 'integer' },
  text: `
    SELECT c.order_id, o.watch_address AS address, o.derivation_index, c.spent, o.expires_at,
      o.status IN ('pending', 'underpaid') AS is_open, known.amount AS known, known.final AS known_final
    FROM (
      SELECT order_id, spent FROM balance_checks WHERE due_number <= :head ORDER BY due_number LIMIT :limit
    ) c
    CROSS JOIN LATERAL (SELECT * FROM crypto_orders WHERE id = c.order_id LIMIT 1) o
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(d.amount), 0) AS amount,
        coalesce(sum(d.amount) FILTER (WHERE d.block_number <= :final), 0) AS final
      FROM crypto_deposits d WHERE d.order_id = c.order_id AND d.asset = 'ETH' AND d.block_number IS NOT NULL
        AND d.address IS NULL
    ) known
    ORDER BY c.order_id`,
  row: BalanceCheck,
})

/** When each order's turn is next, and what had left it by then. */
export const markBalancesChecked = queryNone({
  name: 'balance-checks.mark',
  parameters: { orderIds: 'text[]', dueNumbers: 'bigint[]', spent: 'numeric[]' },
  text: `
    UPDATE balance_checks c SET due_number = m.due_number, spent = m.spent
    FROM unnest(:orderIds, :dueNumbers, :spent) AS m (order_id, due_number, spent) WHERE c.order_id = m.order_id`,
})

/** Reads the balances of these addresses with the next block again. */
export const recheckBalances = queryNone({
  name: 'balance-checks.recheck',
  parameters: { network: 'text', addresses: 'text[]' },
  text: `
    UPDATE balance_checks c SET due_number = 0 FROM crypto_orders o
    WHERE (o.watch_address, o.network) IN (SELECT a, :network FROM unnest(:addresses) AS a) AND c.order_id = o.id`,
})
