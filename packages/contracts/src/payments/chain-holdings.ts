import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { DecimalString, idOf } from '../primitives.ts'
import { Asset, Network } from './networks.ts'

/** Orders examined per call: the nodes answer within a few seconds. */
export const HOLDINGS_PAGE = 200
/** Orders that are named where money is missing. */
export const SHORT_ORDERS_NAMED = 20

/** `payments.chain-holdings`: compares what the nodes say the addresses of orders hold with what they should (decisions §51). */
export const chainHoldings = resource('payments.chain-holdings', {
  list: operation({
    summary: 'List the assets whose addresses can be compared; empty without a signer',
    caller: 'service',
    services: ['ledger'],
    reply: z.object({ units: z.array(z.object({ network: Network, asset: Asset })) }),
  }),
  compare: operation({
    summary: 'Compare a page of addresses with the nodes, by creation of their orders',
    caller: 'service',
    services: ['ledger'],
    body: z.strictObject({
      network: Network,
      asset: Asset,
      /** The last order of the previous page; null: start with the first. */
      after: idOf('cryptoOrder').nullable(),
    }),
    reply: z.object({
      /** Addresses that the nodes were asked about. */
      compared: z.number().int().nonnegative(),
      /** Sum of what addresses hold less than they should. */
      missing: DecimalString,
      short_orders: z.array(idOf('cryptoOrder')).max(SHORT_ORDERS_NAMED),
      /** Position of the next page; null: this was the last one. */
      next: idOf('cryptoOrder').nullable(),
    }),
    refusals: ['resource_not_found', 'temporarily_unavailable'],
  }),
})
