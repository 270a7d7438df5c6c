import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { idOf } from '../primitives.ts'

/** Most partners that may be disabled: their ids fit into one message of the bus. */
const MAX_DISABLED_PARTNERS = 25_000

/** `webhooks.disabled-partners`: access owns partners, and says which of them are sent nothing (decisions §46). */
export const disabledPartners = resource('webhooks.disabled-partners', {
  update: operation({
    summary: 'Replace the set of disabled partners, whose destinations receive nothing',
    caller: 'service',
    /** The gateway of 0.1.0 sends them itself while an upgrade replaces it. */
    services: ['access', 'gateway'],
    body: z.strictObject({
      /** Position in the change feed of access at which these were all disabled partners. */
      revision: z.number().int().min(0),
      partner_ids: z.array(idOf('partner')).max(MAX_DISABLED_PARTNERS),
    }),
    /** `accepted`: false where a newer set is known. */
    reply: z.object({ accepted: z.boolean() }),
  }),
})
