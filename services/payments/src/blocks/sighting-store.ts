import { queryMany, queryNone } from '@causeway/chassis'
import { z } from 'zod'

const Output = z.object({ txId: z.string(), outputIndex: z.number() })

/** Those of these transactions' outputs that are known already, mined or seen. */
export const listKnownOutputs = queryMany({
  name: 'sightings.known',
  parameters: { network: 'text', txIds: 'text[]', outputIndexes: 'integer[]' },
  text: `
    SELECT tx_id, output_index FROM crypto_deposits
    WHERE (network, tx_id, output_index) IN
      (SELECT :network, s.* FROM unnest(:txIds, :outputIndexes) AS s)`,
  row: Output,
})

/**
 * Deletes what was seen and waits to be mined no more, replaced or dropped. A deposit that was unattributed money stays, for
 * staff may have acted on it.
 */
export const deleteVanishedSightings = queryNone({
  name: 'sightings.delete-vanished',
  parameters: { network: 'text', txIds: 'text[]' },
  text: `
    DELETE FROM crypto_deposits d
    WHERE d.network = :network AND d.block_number IS NULL AND d.counted_at IS NULL AND d.tx_id <> ALL (:txIds)
      AND NOT EXISTS (SELECT FROM unattributed_money u
        WHERE (u.network, u.tx_id, u.output_index) = (d.network, d.tx_id, d.output_index))`,
})
