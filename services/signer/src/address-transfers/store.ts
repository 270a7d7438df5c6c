import { queryMany } from '@causeway/chassis'
import { Asset } from '@causeway/contracts'
import { z } from 'zod'

/**
 * Sums that have left addresses in an asset, by transfers to their end. A fee in the asset that comes on top of an amount is
 * counted in full: that of a failed transfer, and that of a token's, which the address's own coins may have paid.
 */
export const listLeft = queryMany({
  name: 'address-transfers.list',
  parameters: { network: 'text', asset: 'text', keyIndexes: 'bigint[]' },
  text: `
    SELECT s.key_index, (
        coalesce(sum(s.amount) FILTER (WHERE t.status = 'confirmed' AND t.asset = :asset), 0)
        + coalesce(sum(t.network_fee::numeric) FILTER (WHERE s.fee_asset = :asset
            AND (t.status = 'failed' OR t.status = 'confirmed' AND t.asset <> :asset)), 0)
      )::text AS total,
      bool_or(t.status IN ('signed', 'broadcast')) AS is_moving
    FROM transfer_sources s JOIN transfers t ON t.id = s.transfer_id
    WHERE s.network = :network AND s.key_index = ANY (:keyIndexes)
    GROUP BY s.key_index ORDER BY s.key_index`,
  row: z.object({ keyIndex: z.number(), total: z.string(), isMoving: z.boolean() }),
})

/**
 * Signed transfers from an address, oldest first, with those of the named outputs (`txId:index`) that they spend. A network
 * without outputs names nonces, as `address/number`.
 */
export const listOfAddress = queryMany({
  name: 'address-transfers.of-address',
  parameters: { network: 'text', keyIndex: 'bigint', coins: 'text[]', limit: 'integer' },
  text: `
    SELECT t.purpose, t.asset, t.unattributed_money_id, t.signed::jsonb ->> 'txId' AS tx_id, t.created_at,
      CASE WHEN t.status = 'confirmed' THEN t.updated_at END AS confirmed_at,
      EXISTS (SELECT FROM jsonb_array_elements_text(t.signed::jsonb -> 'spends') AS e (spent)
        WHERE strpos(e.spent, ':') > 0 AND strpos(e.spent, '/') = 0) AS names_coins,
      ARRAY(SELECT e.spent FROM jsonb_array_elements_text(t.signed::jsonb -> 'spends') AS e (spent)
        WHERE e.spent = ANY (:coins)) AS spent
    FROM transfer_sources s JOIN transfers t ON t.id = s.transfer_id
    WHERE s.network = :network AND s.key_index = :keyIndex AND t.purpose IN ('refund', 'sweep')
      AND t.status IN ('signed', 'broadcast', 'confirmed')
    ORDER BY t.created_at, t.id LIMIT :limit`,
  row: z.object({
    purpose: z.enum(['refund', 'sweep']),
    asset: Asset,
    unattributedMoneyId: z.string().nullable(),
    txId: z.string(),
    createdAt: z.date(),
    confirmedAt: z.date().nullable(),
    namesCoins: z.boolean(),
    spent: z.array(z.string()),
  }),
})
