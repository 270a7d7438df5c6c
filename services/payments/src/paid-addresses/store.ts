import { queryMany } from '@causeway/chassis'
import { z } from 'zod'

/** Orders of all partners by their ids, and whether each is paid in an asset of a network. */
export const listPaidAddresses = queryMany({
  name: 'paid-addresses.page',
  parameters: { network: 'text', asset: 'text', afterId: 'text', beforeId: 'text', limit: 'integer' },
  text: `
    SELECT o.id, o.derivation_index, o.status = 'paid' AND o.network = :network AND o.asset = :asset AS is_paid
    FROM crypto_orders o WHERE o.id > :afterId AND o.id < :beforeId ORDER BY o.id LIMIT :limit`,
  row: z.object({ id: z.string(), derivationIndex: z.number(), isPaid: z.boolean() }),
})
