import { z } from 'zod'
import { get } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { DecimalString, text, Timestamp } from '../primitives.ts'
import { Asset, Network } from './networks.ts'

/** Most deposits of an order that are followed, the first that were seen. */
export const MOST_FOLLOWED_DEPOSITS = 100

const MAX_ID_LENGTH = 64

/** Where the money of a deposit is now. */
export const DepositPlace = z.enum(['address', 'moving', 'swept', 'sent_back', 'account', 'unknown']).meta({
  description:
    '`address`: not swept yet; `moving`: sent, not confirmed; `swept`: at the platform’s own address; `sent_back`: used by a refund; `account`: no sweep needed (SOL, XRP); `unknown`: the signer did not move it or does not answer',
})

/** The transfer that took a deposit from its address. */
export const DepositTransfer = z.object({
  kind: z.enum(['sweep', 'refund']),
  /** It may change until the transfer is confirmed: a transfer that waits is sent again with a higher fee. */
  txId: z.string(),
  startedAt: Timestamp,
  confirmedAt: Timestamp.nullable(),
  attribution: z.enum(['output', 'address']).meta({
    description:
      '`output`: it spends exactly this deposit; `address`: it emptied the address first after the deposit counted',
  }),
})

/** A deposit of a crypto order, as its merchant follows it. */
export const OrderDeposit = z.object({
  txId: z.string(),
  outputIndex: z.number().int(),
  network: Network,
  asset: Asset,
  amount: DecimalString,
  address: z.string(),
  seenAt: Timestamp,
  /** Since when it counts. Null: not yet, or no longer. */
  countedAt: Timestamp.nullable(),
  /** True if it counted until the chain took it back. */
  reverted: z.boolean(),
  /** Null while it is in no block. */
  blockNumber: z.number().int().nullable(),
  blockHash: z.string().nullable(),
  confirmations: z.number().int().nonnegative(),
  /** True once its block is so deep that the platform has looked at it for the last time. */
  final: z.boolean(),
  /** Null while it is in no block. */
  place: DepositPlace.nullable(),
  transfer: DepositTransfer.nullable(),
})
export type OrderDeposit = z.infer<typeof OrderDeposit>

/** `payments.order-deposits`: how the money of a crypto order reached the platform (decisions §51). */
export const orderDeposits = resource('payments.order-deposits', {
  listByMerchant: operation({
    operationId: 'listMerchantOrderDeposits',
    http: get('/orders/:orderId/deposits'),
    tag: 'Merchant balances',
    summary: 'List the deposits of a crypto order with their blocks and sweeps',
    description:
      'Use it to follow the money of an order: each deposit, its block and confirmations, and the transfer that moved it from its address. An unknown order has none.',
    caller: 'merchant',
    params: z.object({ orderId: text(MAX_ID_LENGTH) }),
    reply: z.object({ deposits: z.array(OrderDeposit).max(MOST_FOLLOWED_DEPOSITS) }),
    refusals: [],
  }),
})
