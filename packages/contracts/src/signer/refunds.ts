import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { Asset, Network } from '../payments/networks.ts'
import { CryptoRefundStatus } from '../payments/crypto-refunds.ts'
import { DecimalString, idOf } from '../primitives.ts'

/** A refund as the signer has it. Amounts are decimals in the asset that they are paid in; null until it is signed. */
export const SignerRefund = z.object({
  refund_id: idOf('refund'),
  status: CryptoRefundStatus,
  /** Amount that arrives. */
  amount: DecimalString.nullable(),
  network_fee: DecimalString.nullable(),
  tx_id: z.string().nullable(),
  /** Why it failed. */
  failure: z.string().nullable(),
})
export type SignerRefund = z.infer<typeof SignerRefund>

/** Deposits of one order that are named to the signer, at most. */
const COINS_MAX = 500

/** A transfer from a deposit address: amount and destination. */
const Transfer = z.strictObject({
  /** Null for unknown money. */
  order_id: idOf('cryptoOrder').nullable(),
  /** The unattributed money that is sent back; null: what the order has received. */
  unattributed_money_id: z.string().max(64).nullable().optional(),
  network: Network,
  asset: Asset,
  /** Number of the address. */
  key_index: z.int().min(1),
  /** The address as payments watches it: the signer's own key has to give the same. */
  address: z.string().max(128),
  to_address: z.string().max(128),
  /** Amount that leaves the address, including the network fee if it is paid in the asset. */
  amount: z.string().regex(/^\d{1,30}(\.\d{1,18})?$/),
  /** BTC, LTC: the deposits that it is paid from. */
  coins: z.array(z.strictObject({ tx_id: z.string().max(128), output_index: z.int().min(0) })).max(COINS_MAX),
})

const REFUSALS = [
  'invalid_request',
  'invalid_state',
  'not_refundable',
  'nothing_to_refund',
  'amount_exceeds_remaining',
  'limit_reached',
  'temporarily_unavailable',
] as const

/** `signer.refunds`: payments asks the signer to pay an approved refund, and how far it is. */
export const signerRefunds = resource('signer.refunds', {
  create: operation({
    summary: 'Pay an approved refund; a repeated call returns its progress',
    caller: 'service',
    services: ['payments'],
    body: Transfer.extend({ refund_id: idOf('refund') }),
    reply: z.object({ refund: SignerRefund }),
    refusals: REFUSALS,
  }),
  estimate: operation({
    summary: 'Quote a refund: its fee and the amount that would arrive; nothing is signed',
    caller: 'service',
    services: ['payments'],
    body: Transfer,
    reply: z.object({
      /** Amount that arrives; null while it waits. */
      amount: DecimalString.nullable(),
      /** Maximum network fee, in `fee_asset`. */
      network_fee: DecimalString.nullable(),
      fee_asset: Asset.nullable(),
      /** The reason to wait, such as a high fee; null: it can be sent now. */
      waits_for: z.string().nullable(),
    }),
    refusals: REFUSALS,
  }),
})
