import { queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** An order's address as it is watched; null where it is none. */
export const findOrderAddress = queryOne({
  name: 'own-addresses.find-order',
  parameters: { network: 'text', address: 'text' },
  text: 'SELECT watch_address FROM crypto_orders WHERE watch_address = :address AND network = :network',
  row: z.object({ watchAddress: z.string() }),
})
