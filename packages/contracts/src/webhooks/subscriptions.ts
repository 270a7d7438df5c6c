import { z } from 'zod'
import { PartnerEventType } from '../events/event-names.ts'
import { get } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { NextCursor, pageParameters } from '../primitives.ts'
import { PartnerWebhook } from './destinations.ts'

/** `webhooks.subscriptions`: a partner's view of its destinations. */
export const subscriptions = resource('webhooks.subscriptions', {
  list: operation({
    operationId: 'listWebhookSubscriptions',
    http: get('/webhooks', { scopes: ['partner:read'] }),
    tag: 'Partner webhooks',
    summary: 'Get the destinations, the event types and the signature scheme',
    description:
      'Use it to check where your events go. To change it, use the webhook endpoints (scope `webhooks:write`), or ask staff. The secret is never returned.',
    query: z.object(pageParameters),
    reply: z.object({
      webhooks: z.array(PartnerWebhook),
      next_cursor: NextCursor,
      available_event_types: z.array(PartnerEventType),
      opt_in_event_types: z.array(PartnerEventType).meta({
        description:
          'Types that only a destination that names them receives; an empty list does not include them',
      }),
      signature: z.object({
        algorithm: z.literal('hmac-sha256'),
        header: z.literal('x-signature'),
        format: z.literal('v1=<hex>'),
        signed_payload: z.literal('<x-timestamp>.<raw request body>'),
      }),
    }),
    refusals: ['invalid_cursor'],
  }),
})
