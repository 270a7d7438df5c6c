import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { UnattributedMoneyStatus } from '@causeway/contracts'
import { z } from 'zod'

/** Locks the open money of an order in one unit that its address holds, the largest amount first. */
export const lockOpenMoney = queryMany({
  name: 'refunded-money.lock-open',
  parameters: { orderId: 'text', unit: 'text', limit: 'integer' },
  text: `
    SELECT u.id, u.tx_id, u.output_index, u.amount
    FROM unattributed_money u JOIN crypto_orders o ON o.id = u.order_id AND o.address = u.address
    WHERE u.order_id = :orderId AND u.unit = :unit AND u.status = 'open' AND u.network IS NOT NULL
    ORDER BY u.amount DESC, u.id LIMIT :limit FOR UPDATE OF u`,
  row: z.object({ id: z.string(), txId: z.string(), outputIndex: z.number(), amount: z.string() }),
})

/** Locks one amount of unattributed money; null if it does not exist. */
export const lockMoney = queryOne({
  name: 'refunded-money.lock',
  parameters: { id: 'text' },
  text: `
    SELECT u.id, u.order_id, u.unit, u.amount, u.tx_id, u.output_index, u.status FROM unattributed_money u
    WHERE u.id = :id FOR UPDATE OF u`,
  row: z.object({
    id: z.string(),
    orderId: z.string().nullable(),
    unit: z.string(),
    amount: z.string(),
    txId: z.string().nullable(),
    outputIndex: z.number().nullable(),
    status: UnattributedMoneyStatus,
  }),
})

/** Reserves money for a refund. */
export const reserveMoney = queryNone({
  name: 'refunded-money.reserve',
  parameters: { ids: 'text[]', refundId: 'text' },
  text: `
    UPDATE unattributed_money SET status = 'refunding', refund_id = :refundId WHERE id = ANY (:ids) AND status = 'open'`,
})

/** Records that the money of a refund was sent back. */
export const endMoney = queryNone({
  name: 'refunded-money.end',
  parameters: { refundId: 'text', txId: 'text?', now: 'timestamptz' },
  text: `
    UPDATE unattributed_money SET status = 'ended', ended_by = 'refund', ended_at = :now, ended_tx_id = :txId
    WHERE refund_id = :refundId AND status = 'refunding'`,
})

/**
 * Reopens the money of a failed refund for staff. If another amount of the same deposit is open by now, the two are added
 * up: a deposit has one open row.
 */
export const reopenMoney = queryNone({
  name: 'refunded-money.reopen',
  parameters: { refundId: 'text', now: 'timestamptz' },
  text: `
    WITH mine AS (
      SELECT id, network, tx_id, output_index, amount FROM unattributed_money
      WHERE refund_id = :refundId AND status = 'refunding'
    ), joined AS (
      UPDATE unattributed_money other SET amount = other.amount + mine.amount FROM mine
      WHERE other.status = 'open'
        AND (other.network, other.tx_id, other.output_index) = (mine.network, mine.tx_id, mine.output_index)
      RETURNING mine.id
    )
    UPDATE unattributed_money u SET refund_id = NULL,
      status = CASE WHEN joined.id IS NULL THEN 'open' ELSE 'ended' END,
      ended_by = CASE WHEN joined.id IS NOT NULL THEN 'counted' END,
      ended_at = CASE WHEN joined.id IS NOT NULL THEN :now END
    FROM mine LEFT JOIN joined USING (id) WHERE u.id = mine.id`,
})
