import { queryOne } from '@causeway/chassis'
import { z } from 'zod'

/** An address of an order, or of one that a restore has lost (ADR 0072), as it is watched; null for any other address. */
export const findOrderAddress = queryOne({
  name: 'own-addresses.find-order',
  parameters: { network: 'text', address: 'text' },
  text: `
    SELECT watch_address FROM crypto_orders WHERE watch_address = :address AND network = :network
    UNION ALL
    SELECT watch_address FROM skipped_addresses WHERE watch_address = :address AND network = :network
    LIMIT 1`,
  row: z.object({ watchAddress: z.string() }),
})

/** The number of an address of an order that a restore has lost; null for any other address. */
export const findSkippedNumber = queryOne({
  name: 'own-addresses.find-skipped',
  parameters: { network: 'text', address: 'text' },
  text: 'SELECT number FROM skipped_addresses WHERE watch_address = :address AND network = :network',
  row: z.object({ number: z.number() }),
})
