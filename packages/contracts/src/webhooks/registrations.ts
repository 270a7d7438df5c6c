import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { idOf, NextCursor, pageParameters, Timestamp } from '../primitives.ts'
import { WebhookSecret, WebhookUrl } from './destinations.ts'

/** A merchant's registration without its secret (spec: Merchant webhook registration). */
export const MerchantWebhook = z.object({
  id: idOf('webhook'),
  url: z.string(),
  /** The integration whose events it receives; null: every integration. */
  integrationId: idOf('integration').nullable(),
  createdAt: Timestamp,
  hasSecret: z.boolean(),
})
export type MerchantWebhook = z.infer<typeof MerchantWebhook>

const webhookId = idOf('webhook')
/** The service checks that it is the caller's own, so that every other value gets the same answer. */
const integrationId = z.string().max(100).nullable().optional()

export const TestPayload = z.object({
  event: z.literal('test'),
  order: z.object({
    id: z.string(),
    reference: z.string(),
    chain: z.string(),
    asset: z.string(),
    amount: z.string(),
    status: z.string(),
  }),
})
export type TestPayload = z.infer<typeof TestPayload>

/** `webhooks.registrations`: how merchants keep their receivers (spec: Merchant webhook management API). */
export const registrations = resource('webhooks.registrations', {
  list: operation({
    summary: 'Read the registered webhooks, oldest first',
    caller: 'merchant',
    query: z.object(pageParameters),
    reply: z.object({ webhooks: z.array(MerchantWebhook), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  create: operation({
    summary: 'Register a webhook; its path is made to end in /service/webhook, its secret is shown once',
    caller: 'merchant',
    body: z.strictObject({ url: WebhookUrl, integrationId }),
    reply: MerchantWebhook.omit({ hasSecret: true }).extend({ webhookSecret: WebhookSecret }),
    refusals: ['invalid_request', 'limit_reached', 'temporarily_unavailable'],
  }),
  update: operation({
    summary: 'Change the URL or the binding: integrationId null or empty makes it a wildcard',
    caller: 'merchant',
    params: z.object({ webhookId }),
    body: z.strictObject({ url: WebhookUrl.optional(), integrationId }),
    reply: z.object({ id: webhookId, url: z.string(), integrationId: idOf('integration').nullish() }),
    refusals: ['resource_not_found', 'invalid_request', 'temporarily_unavailable'],
  }),
  delete: operation({
    summary: 'Delete a webhook; what waits for it is dropped',
    caller: 'merchant',
    params: z.object({ webhookId }),
    reply: z.object({ ok: z.literal(true) }),
    refusals: ['resource_not_found'],
  }),
  rotateSecret: operation({
    summary: 'Give a webhook a new secret, used from the next attempt on',
    caller: 'merchant',
    params: z.object({ webhookId }),
    reply: z.object({ id: webhookId, url: z.string(), webhookSecret: WebhookSecret }),
    refusals: ['resource_not_found'],
  }),
  test: operation({
    summary: 'Send a sample to a webhook and tell what it answered',
    caller: 'merchant',
    params: z.object({ webhookId }),
    reply: z.object({
      success: z.boolean(),
      url: z.string(),
      /** Null when no answer arrived. */
      httpStatus: z.number().int().nullable(),
      signed: z.boolean(),
      responseBody: z.string().nullable(),
      payload: TestPayload,
    }),
    refusals: ['resource_not_found'],
    // The test call waits for the channel's whole timeout (decisions §12).
    waitsMs: 6_000,
  }),
})
