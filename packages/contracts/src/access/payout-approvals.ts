import { z } from 'zod'
import { operation, resource } from '../operation.ts'

/** `access.payout-approvals`: access signs which payouts staff approve, and passes them to the signer (ADR 0089). */
export const accessPayoutApprovals = resource('access.payout-approvals', {
  create: operation({
    summary: 'Approve the payout that staff asked to send; approving it again changes nothing',
    caller: 'service',
    services: ['gateway'],
    body: z.object({
      request_id: z.string(),
      actor: z.string(),
      /** Parameters of the path and body of the request, as JSON. */
      params_json: z.string().optional(),
      request_json: z.string().optional(),
    }),
    reply: z.object({}),
    refusals: ['invalid_state', 'temporarily_unavailable'],
    /** It waits for the ledger and the signer. */
    waitsMs: 4_000,
  }),
})
