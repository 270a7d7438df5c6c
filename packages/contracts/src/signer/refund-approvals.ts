import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { Asset, Network } from '../payments/networks.ts'
import { DecimalString, idOf, text, Timestamp } from '../primitives.ts'

/** Staff's approval of one refund. Access signs its JSON; the signer sends nothing that differs from it. */
export const RefundApproval = z.strictObject({
  refund_id: idOf('refund'),
  /** Null for unknown money. */
  order_id: idOf('cryptoOrder').nullable(),
  /** The unattributed money that is sent back; null: what the order has received. */
  unattributed_money_id: z.string().nullable(),
  network: Network,
  asset: Asset,
  from_address: z.string(),
  to_address: z.string(),
  /** Amount that leaves `from_address`, including the network fee if it is paid in the asset. */
  amount: DecimalString,
  approved_by: z.string(),
  /** The second person, where four eyes are on. */
  confirmed_by: z.string().nullable(),
  approved_at: Timestamp,
  expires_at: Timestamp,
})
export type RefundApproval = Readonly<z.infer<typeof RefundApproval>>

/** Context string of access's signature of an approval. */
export const REFUND_APPROVAL_PURPOSE = 'causeway refund approval v1'

const STATEMENT_MAX = 2_000

/**
 * `signer.refund-approvals`: which refunds staff allow the signer to send. Access says so itself, with its signature, so that
 * neither payments nor anybody with the signer's database can choose where money goes (decisions §20).
 */
export const refundApprovals = resource('signer.refund-approvals', {
  create: operation({
    summary: 'Approve a refund; approving it again changes nothing',
    caller: 'operator',
    body: z.strictObject({
      /** JSON of a RefundApproval, exactly as it was signed. */
      statement: text(STATEMENT_MAX),
      /** Ed25519 in base64url. */
      signature: z.string().regex(/^[\w-]{86}$/),
    }),
    reply: z.object({ refund_id: idOf('refund'), expires_at: Timestamp }),
    refusals: ['invalid_request'],
  }),
})
