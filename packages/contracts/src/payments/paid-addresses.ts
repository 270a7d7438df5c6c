import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp } from '../primitives.ts'
import { Asset, Network } from './networks.ts'

/** Orders examined per call. */
export const PAID_ADDRESSES_PAGE = 500

/** `payments.paid-addresses`: addresses of ended orders of which nothing waits for staff or is being sent back, for the signer to sweep. */
export const paidAddresses = resource('payments.paid-addresses', {
  list: operation({
    summary: 'List the numbers of addresses that may be emptied, by creation of their orders',
    caller: 'service',
    services: ['signer'],
    body: z.strictObject({
      network: Network,
      asset: Asset,
      /** The last order of the previous page; null: start with the first. */
      after: idOf('cryptoOrder').nullable(),
      /** Skips younger orders, and orders with a younger deposit: the chain can still revert those. */
      created_before: Timestamp,
    }),
    reply: z.object({
      key_indexes: z.array(z.number().int()).max(PAID_ADDRESSES_PAGE),
      /** Position of the next page; null: this was the last one. */
      next: idOf('cryptoOrder').nullable(),
    }),
  }),
})
