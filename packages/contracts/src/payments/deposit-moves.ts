import { z } from 'zod'
import { Currency } from '../currencies.ts'
import { DecimalString, idOf } from '../primitives.ts'
import { Asset, Network } from './networks.ts'

/** Where the parts of a counted deposit are: each unit of it is in exactly one of them (decisions §52). */
export const DEPOSIT_BUCKETS = ['open', 'applied', 'excess', 'late', 'foreign'] as const
export type DepositBucket = (typeof DEPOSIT_BUCKETS)[number]

/**
 * Changes of a deposit's buckets: signed differences, decimal in the asset. Their sum is the amount when the
 * deposit begins to count, minus the amount when the chain takes it back, and 0 otherwise.
 */
export const DepositMove = z.object({
  order_id: idOf('cryptoOrder'),
  partner_id: idOf('partner'),
  partner_customer_id: idOf('relationship'),
  customer_id: idOf('merchant'),
  network: Network,
  asset: Asset,
  tx_id: z.string(),
  output_index: z.number().int(),
  /** The whole deposit. */
  amount: DecimalString,
  open: DecimalString,
  applied: DecimalString,
  excess: DecimalString,
  late: DecimalString,
  foreign: DecimalString,
  /** Change of the service fee that the applied part bears, signed, in the asset. Left out: no change. */
  service_fee: DecimalString.optional(),
  /**
   * Change of what is converted into the currency of the order's price: signed, in the asset and in the currency's minor
   * unit. All three or none. Left out: no change.
   */
  settled_amount: DecimalString.optional(),
  settled_cents: z.number().int().optional(),
  settled_currency: Currency.optional(),
})
export type DepositMove = z.infer<typeof DepositMove>
