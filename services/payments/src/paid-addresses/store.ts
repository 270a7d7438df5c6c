import { queryMany } from '@causeway/chassis'
import { z } from 'zod'

/**
 * Orders of all partners by their ids, and whether the address of each may be emptied of an asset of a network: the order
 * has ended, has received the asset, and the last that came to it is older than `settledBefore`, by the platform's clock.
 * Nothing is taken while anything of it waits for staff or is being sent back.
 */
export const listPaidAddresses = queryMany({
  name: 'paid-addresses.page',
  parameters: {
    network: 'text',
    asset: 'text',
    afterId: 'text',
    beforeId: 'text',
    settledBefore: 'timestamptz',
    limit: 'integer',
  },
  text: `
    SELECT o.id, o.derivation_index, o.network = :network AND o.status NOT IN ('pending', 'underpaid')
      AND (
        SELECT coalesce(bool_or(d.asset = :asset AND d.counted_at IS NOT NULL)
          AND max(greatest(d.seen_at, d.counted_at)) < :settledBefore, false)
        FROM crypto_deposits d WHERE d.order_id = o.id AND d.address IS NULL)
      AND (SELECT count(*) FROM unattributed_money u WHERE u.order_id = o.id AND u.status <> 'ended') = 0
      AND (
        SELECT count(*) FROM order_refunds f
        WHERE f.order_id = o.id AND f.status NOT IN ('confirmed', 'failed')) = 0
      AS is_paid
    FROM crypto_orders o WHERE o.id > :afterId AND o.id < :beforeId ORDER BY o.id LIMIT :limit`,
  row: z.object({ id: z.string(), derivationIndex: z.number(), isPaid: z.boolean() }),
})
