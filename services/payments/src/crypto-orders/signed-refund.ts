import { CryptoRefundStatus, type CryptoRefund } from '@causeway/contracts'
import { z } from 'zod'

/** A refund that the signer sends, as stored. */
export const SignedRefund = z.object({
  id: z.string(),
  orderId: z.string(),
  toAddress: z.string(),
  /** What leaves the order's address, a decimal in its asset. */
  amount: z.string(),
  /** What arrives; null until it is signed. */
  sentAmount: z.string().nullable(),
  networkFee: z.string().nullable(),
  txId: z.string().nullable(),
  status: CryptoRefundStatus,
  failure: z.string().nullable(),
  createdAt: z.date(),
})
export type SignedRefund = Readonly<z.infer<typeof SignedRefund>>

/** The refund as staff see it (decisions §20). */
export const presentRefund = (refund: SignedRefund): CryptoRefund => ({
  refund_id: refund.id,
  to_address: refund.toAddress,
  amount: refund.sentAmount ?? refund.amount,
  network_fee: refund.networkFee,
  tx_id: refund.txId,
  status: refund.status,
  failure: refund.failure,
})
