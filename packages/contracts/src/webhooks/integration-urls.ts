import { z } from 'zod'
import { put } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf } from '../primitives.ts'
import { WebhookSecret, WebhookUrl } from './destinations.ts'

/** `webhooks.integration-urls`: an integration's own merchant webhook URL, kept by staff (decisions §14). */
export const integrationUrls = resource('webhooks.integration-urls', {
  update: operation({
    operationId: 'updateMerchantWebhookUrl',
    http: put('/integrations/:integrationId/merchant-webhook-url'),
    role: 'admin',
    tag: 'Webhooks',
    fourEyes: ['webhooks'],
    summary: 'Set or clear the merchant webhook URL of a checkout configuration',
    description: 'Use it for a merchant whose shop receives only the events of one checkout.',
    caller: 'operator',
    params: z.object({ integrationId: idOf('integration') }),
    body: z.strictObject({ url: WebhookUrl.nullable() }),
    reply: z.object({
      integration_id: idOf('integration'),
      merchant_webhook_url: z.string().nullable(),
      /** Shown once, when a URL is set where there was none; clearing and setting it gives a new one. */
      webhook_secret: WebhookSecret.nullable(),
    }),
    refusals: ['resource_not_found', 'invalid_request', 'temporarily_unavailable'],
  }),
})
