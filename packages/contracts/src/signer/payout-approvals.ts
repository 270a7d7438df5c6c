import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { Asset, Network } from '../payments/networks.ts'
import { idOf, text, Timestamp } from '../primitives.ts'

/** Staff's approval of one payout. Access signs its JSON; the signer sends nothing that differs from it (ADR 0089). */
export const PayoutApproval = z.strictObject({
  payout_id: idOf('payout'),
  network: Network,
  asset: Asset,
  to_address: z.string(),
  /** Amount that leaves the treasury, the decimal number of the asset. */
  amount: z.string().regex(/^\d{1,30}(\.\d{1,18})?$/),
  approved_by: z.string(),
  /** The second person, where four eyes are on. */
  confirmed_by: z.string().nullable(),
  approved_at: Timestamp,
  expires_at: Timestamp,
})
export type PayoutApproval = Readonly<z.infer<typeof PayoutApproval>>

/** Context string of access's signature of an approval. No signature of a refund is one of a payout. */
export const PAYOUT_APPROVAL_PURPOSE = 'causeway payout approval v1'

const STATEMENT_MAX = 2_000

/** `signer.payout-approvals`: which payouts staff allow the signer to send. Access says so itself, with its signature. */
export const payoutApprovals = resource('signer.payout-approvals', {
  create: operation({
    summary: 'Approve a payout; approving it again changes nothing',
    caller: 'service',
    services: ['access'],
    body: z.object({
      /** JSON of a PayoutApproval, exactly as it was signed. */
      statement: text(STATEMENT_MAX),
      /** Ed25519 in base64url. */
      signature: z.string().regex(/^[\w-]{86}$/),
    }),
    reply: z.object({ payout_id: idOf('payout'), expires_at: Timestamp }),
    refusals: ['invalid_request'],
  }),
})
