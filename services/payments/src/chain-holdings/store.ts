import { queryMany } from '@causeway/chassis'
import { z } from 'zod'

/** SQL: staff have recorded that something left the address of an order `o` without the signer. */
export const SENT_BY_HAND = `(
        o.status = 'refunded' AND (
          SELECT count(*) FROM order_refunds f
          WHERE f.order_id = o.id AND f.unattributed_money_id IS NULL AND NOT f.sent_by_hand) = 0
        OR (SELECT count(*) FROM order_refunds f WHERE f.order_id = o.id AND f.sent_by_hand) > 0
        OR (SELECT count(*) FROM unattributed_money u WHERE u.order_id = o.id AND u.ended_by = 'handled') > 0)`

/**
 * Orders of all partners by their ids, with the deposits that count in an asset of a network. Deposits that an order has at
 * another address are left out.
 */
export const listHeld = queryMany({
  name: 'chain-holdings.page',
  parameters: { network: 'text', asset: 'text', afterId: 'text', limit: 'integer' },
  text: `
    SELECT o.id, o.derivation_index, o.watch_address AS address, held.amount, held.coins, held.newest_block,
      held.amount IS NOT NULL AND ${SENT_BY_HAND}
      AS sent_by_hand
    FROM crypto_orders o
    LEFT JOIN LATERAL (
      SELECT sum(d.amount)::text AS amount, max(d.block_number) AS newest_block,
        jsonb_agg(jsonb_build_object('txId', d.tx_id, 'outputIndex', d.output_index, 'blockNumber', d.block_number))
          AS coins
      FROM crypto_deposits d
      WHERE d.order_id = o.id AND d.network = :network AND d.asset = :asset AND d.counted_at IS NOT NULL
        AND d.block_number IS NOT NULL AND d.address IS NULL
    ) held ON o.network = :network
    WHERE o.id > :afterId ORDER BY o.id LIMIT :limit`,
  row: z.object({
    id: z.string(),
    derivationIndex: z.number(),
    address: z.string(),
    /** Decimal in the asset; null where nothing counts. */
    amount: z.string().nullable(),
    newestBlock: z.number().nullable(),
    coins: z
      .array(z.object({ txId: z.string(), outputIndex: z.number(), blockNumber: z.number() }))
      .nullable(),
    sentByHand: z.boolean(),
  }),
})
