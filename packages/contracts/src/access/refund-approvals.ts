import { z } from 'zod'
import { operation, resource } from '../operation.ts'

/** `access.refund-approvals`: access signs which refunds staff approve, and passes them to the signer (decisions §20). */
export const accessRefundApprovals = resource('access.refund-approvals', {
  create: operation({
    summary:
      'Approve the refund that payments planned for a request of staff; approving it again changes nothing',
    caller: 'service',
    services: ['gateway'],
    body: z.object({
      request_id: z.string(),
      actor: z.string(),
      /** The body of the request, as JSON. */
      request_json: z.string().optional(),
      /** The reply of payments. */
      reply: z.unknown(),
    }),
    reply: z.object({}),
    refusals: ['invalid_state', 'temporarily_unavailable'],
    /** It waits for the signer. */
    waitsMs: 2_000,
  }),
})
