import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp } from '../primitives.ts'
import { Asset, Network } from './networks.ts'

/** Orders that one call looks at. */
export const PAID_ADDRESSES_PAGE = 500

/** `payments.paid-addresses`: addresses that belong to no open order and no refund, for the signer to sweep. */
export const paidAddresses = resource('payments.paid-addresses', {
  list: operation({
    summary: 'List the numbers of addresses of paid orders, by the order of their creation',
    caller: 'service',
    services: ['signer'],
    body: z.strictObject({
      network: Network,
      asset: Asset,
      /** The order behind which it goes on; null: from the first. */
      after: idOf('cryptoOrder').nullable(),
      /** Later orders may still be paid or taken back. */
      created_before: Timestamp,
    }),
    reply: z.object({
      key_indexes: z.array(z.number().int()).max(PAID_ADDRESSES_PAGE),
      /** Where the next page goes on; null: nothing was left to look at. */
      next: idOf('cryptoOrder').nullable(),
    }),
  }),
})
