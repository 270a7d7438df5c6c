import { z } from 'zod'
import { DecimalString, idOf, text } from '../primitives.ts'
import { Asset, Network } from './networks.ts'

export const CryptoRefundStatus = z.enum(['requested', 'signed', 'broadcast', 'confirmed', 'failed'])
export type CryptoRefundStatus = z.infer<typeof CryptoRefundStatus>

/** A refund that the signer sends (decisions §20). */
export const CryptoRefund = z.object({
  refund_id: idOf('refund'),
  /** Null for unknown money. */
  order_id: idOf('cryptoOrder').nullable(),
  /** The unattributed money that it sends back; null: what the order has received. */
  unattributed_money_id: z.string().nullable(),
  network: Network,
  asset: Asset,
  /** The address that it leaves: the order's, or where unknown money is held. */
  from_address: z.string(),
  to_address: z.string(),
  /** Amount that arrives; before signing, the amount that leaves the order's address. */
  amount: DecimalString,
  /** The network's fee in its native asset; null until it is signed. */
  network_fee: DecimalString.nullable(),
  tx_id: z.string().nullable(),
  status: CryptoRefundStatus,
  /** Reason of the failure: nothing was paid, and staff can request another refund. */
  failure: z.string().nullable(),
})
export type CryptoRefund = z.infer<typeof CryptoRefund>

const Address = text(128)

/** A refund request of staff. */
export const RefundRequest = z.strictObject({
  to_address: Address,
  /** Values from the plan; a refund with other values is refused. */
  expected: z.strictObject({ amount: DecimalString, from_address: z.string().max(128) }).optional(),
  /** Staff sent it although the signer could. */
  sent_by_hand: z.boolean().optional(),
  /** The transaction with which staff sent it; required and checked on a network that has nodes. */
  tx_id: text(128).optional(),
  /** Amount that arrives of a refund that staff sent, where the network's fee was taken from it; left out: the whole amount. */
  sent_amount: DecimalString.regex(/^\d{1,30}(\.\d{1,18})?$/).optional(),
})
export type RefundRequest = Readonly<z.infer<typeof RefundRequest>>

export const RefundPlanQuery = z.object({ to_address: Address.optional() })

/** The block in which the platform's nodes have the transaction of a refund that staff sent; null: it was not checked. */
export const TxBlock = z.number().int().nullable()

/** The plan of a refund. */
export const RefundPlan = z.object({
  /** The sender: the signer or staff. */
  sent_by: z.enum(['signer', 'staff']),
  network: Network,
  asset: Asset,
  from_address: z.string(),
  /** Amount that leaves `from_address`. */
  amount: DecimalString,
  /** Approximate amount that arrives; null if it is unknown or no address was named. */
  arrives: DecimalString.nullable(),
  /** Maximum network fee, in `fee_asset`. */
  network_fee: DecimalString.nullable(),
  fee_asset: Asset.nullable(),
  /** Why the signer would not send it now; null where it would. */
  obstacle: z.string().nullable(),
})
export type RefundPlan = z.infer<typeof RefundPlan>

/** Refusals of operations with which staff ask for a refund. */
export const REFUND_REFUSALS = [
  'invalid_request',
  'resource_not_found',
  'invalid_state',
  'not_refundable',
  'nothing_to_refund',
  'amount_exceeds_remaining',
  'limit_reached',
  'temporarily_unavailable',
] as const

/** Time beyond the usual deadline for the signer, which asks its nodes. */
export const SIGNER_WAIT_MS = 8_000
