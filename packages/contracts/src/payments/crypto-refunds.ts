import { z } from 'zod'
import { DecimalString, idOf } from '../primitives.ts'

export const CryptoRefundStatus = z.enum(['requested', 'signed', 'broadcast', 'confirmed', 'failed'])
export type CryptoRefundStatus = z.infer<typeof CryptoRefundStatus>

/** A refund that the signer sends (decisions §20). */
export const CryptoRefund = z.object({
  refund_id: idOf('refund'),
  to_address: z.string(),
  /** What arrives, in the order's asset; until it is signed, what leaves the order's address. */
  amount: DecimalString,
  /** What the network takes, in its own asset; null until it is signed. */
  network_fee: DecimalString.nullable(),
  tx_id: z.string().nullable(),
  status: CryptoRefundStatus,
  /** Why it failed: nothing was paid, and another refund may be asked for. */
  failure: z.string().nullable(),
})
export type CryptoRefund = z.infer<typeof CryptoRefund>
