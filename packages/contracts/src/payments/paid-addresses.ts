import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp } from '../primitives.ts'
import { Asset, Network } from './networks.ts'

/** Orders that one call looks at. */
export const PAID_ADDRESSES_PAGE = 500

/** `payments.paid-addresses`: addresses of ended orders of which nothing waits for staff or is being sent back, for the signer to sweep. */
export const paidAddresses = resource('payments.paid-addresses', {
  list: operation({
    summary: 'List the numbers of addresses that may be emptied, by the creation of their orders',
    caller: 'service',
    services: ['signer'],
    body: z.strictObject({
      network: Network,
      asset: Asset,
      /** The order behind which it goes on; null: from the first. */
      after: idOf('cryptoOrder').nullable(),
      /** What came later may be taken back still: a younger order, or one with a younger deposit, is left alone. */
      created_before: Timestamp,
    }),
    reply: z.object({
      key_indexes: z.array(z.number().int()).max(PAID_ADDRESSES_PAGE),
      /** Where the next page goes on; null: nothing was left to look at. */
      next: idOf('cryptoOrder').nullable(),
    }),
  }),
})
