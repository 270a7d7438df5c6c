import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { idOf, text, Timestamp } from '../primitives.ts'

/**
 * `signer.approvals`: what staff allow the signer to pay back. The gateway says so itself, so that payments alone cannot
 * choose where money goes (decisions §20).
 */
export const approvals = resource('signer.approvals', {
  create: operation({
    summary: 'Approve that what an order has received is paid back to an address; the newest approval counts',
    caller: 'operator',
    params: z.object({ orderId: idOf('cryptoOrder') }),
    body: z.strictObject({ to_address: text(128) }),
    reply: z.object({ order_id: idOf('cryptoOrder'), to_address: z.string(), approved_at: Timestamp }),
    refusals: ['invalid_request', 'resource_not_found'],
  }),
})
