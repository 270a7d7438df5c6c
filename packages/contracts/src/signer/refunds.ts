import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { Asset, Network } from '../payments/crypto-orders.ts'
import { CryptoRefundStatus } from '../payments/crypto-refunds.ts'
import { DecimalString, idOf } from '../primitives.ts'

/** A refund as the signer has it. Amounts are decimals in the asset that they are paid in; null until it is signed. */
export const SignerRefund = z.object({
  refund_id: idOf('refund'),
  status: CryptoRefundStatus,
  /** What arrives. */
  amount: DecimalString.nullable(),
  network_fee: DecimalString.nullable(),
  tx_id: z.string().nullable(),
  /** Why it failed. */
  failure: z.string().nullable(),
})
export type SignerRefund = z.infer<typeof SignerRefund>

/** Deposits of one order that are named to the signer, at most. */
const COINS_MAX = 500

/** `signer.refunds`: payments asks the signer to pay an approved refund, and how far it is. */
export const signerRefunds = resource('signer.refunds', {
  create: operation({
    summary: 'Pay back what an order has received; the same refund again answers how far it is',
    caller: 'service',
    services: ['payments'],
    body: z.strictObject({
      refund_id: idOf('refund'),
      order_id: idOf('cryptoOrder'),
      network: Network,
      asset: Asset,
      /** Number of the order's address. */
      key_index: z.int().min(1),
      /** The order's address as payments watches it: the signer's own key has to give the same. */
      address: z.string().max(128),
      to_address: z.string().max(128),
      /** What leaves the address, the network's fee included where it is paid in the asset. */
      amount: DecimalString,
      /** BTC, LTC: the deposits that it is paid from. */
      coins: z
        .array(z.strictObject({ tx_id: z.string().max(128), output_index: z.int().min(0) }))
        .max(COINS_MAX),
    }),
    reply: z.object({ refund: SignerRefund }),
    refusals: [
      'invalid_request',
      'invalid_state',
      'not_refundable',
      'nothing_to_refund',
      'amount_exceeds_remaining',
      'temporarily_unavailable',
    ],
  }),
})
