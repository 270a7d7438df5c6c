import { z } from 'zod'
import { TestPayload } from '../events/merchant-events.ts'
import { del, get, post, put } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, NextCursor, pageParameters, Timestamp } from '../primitives.ts'
import {
  Duplicates,
  EndOfOverlap,
  SecretOverlapHours,
  WebhookSecret,
  WebhookStatus,
  WebhookUrl,
} from './destinations.ts'

/** A merchant's registration without its secret (spec: Merchant webhook registration). */
export const MerchantWebhook = z.object({
  id: idOf('webhook'),
  url: z.string(),
  /** The integration whose events it receives; null: every integration. */
  integrationId: idOf('integration').nullable(),
  createdAt: Timestamp,
  hasSecret: z.boolean(),
  /** Only during the overlap of a rotation: until then the former secret signs `x-signature`. */
  formerSecretUntil: Timestamp.optional(),
  /** Only while it is disabled: since when. */
  disabledAt: Timestamp.optional(),
})
export type MerchantWebhook = z.infer<typeof MerchantWebhook>

const webhookId = idOf('webhook')
/** The service checks that it is the caller's own, so that every other value gets the same answer. */
const integrationId = z.string().max(100).nullable().optional()

export const MerchantWebhookList = z.object({ webhooks: z.array(MerchantWebhook), next_cursor: NextCursor })

/** `webhooks.registrations`: how merchants keep their receivers (spec: Merchant webhook management API). */
export const registrations = resource('webhooks.registrations', {
  list: operation({
    operationId: 'listWebhooks',
    http: get('/webhooks'),
    tag: 'Webhooks',
    summary: 'List the registered webhooks, oldest first',
    description: 'Use it to find a webhook’s id and its checkout.',
    caller: 'merchant',
    query: z.object(pageParameters),
    reply: MerchantWebhookList,
    refusals: ['invalid_cursor'],
  }),
  create: operation({
    operationId: 'createWebhook',
    http: post('/webhooks', { status: 201 }),
    tag: 'Webhooks',
    summary: 'Register a webhook; /service/webhook is appended to its path, and its secret is shown once',
    description:
      'Use it to receive your events. Store `webhookSecret`: it is shown only once, and signs every delivery. Without an `integrationId` the webhook receives the events of all checkouts, and those of crypto orders.',
    caller: 'merchant',
    body: z.strictObject({ url: WebhookUrl, integrationId }),
    reply: MerchantWebhook.omit({
      hasSecret: true,
      formerSecretUntil: true,
      disabledAt: true,
    }).extend({
      webhookSecret: WebhookSecret,
      duplicateOf: Duplicates,
    }),
    refusals: ['invalid_request', 'limit_reached', 'temporarily_unavailable'],
  }),
  update: operation({
    operationId: 'updateWebhook',
    http: put('/webhooks/:webhookId'),
    tag: 'Webhooks',
    summary: 'Update the URL or the binding; an integrationId of null or empty makes it a wildcard',
    description: 'Use it when the receiver moves, or for another checkout. Omitted fields do not change.',
    caller: 'merchant',
    params: z.object({ webhookId }),
    body: z.strictObject({
      url: WebhookUrl.optional(),
      integrationId,
      status: WebhookStatus.optional(),
      formerSecretUntil: EndOfOverlap,
    }),
    reply: z.object({
      id: webhookId,
      url: z.string(),
      integrationId: idOf('integration').nullish(),
      /** Only where the call set it. */
      status: WebhookStatus.optional(),
      duplicateOf: Duplicates,
    }),
    refusals: ['resource_not_found', 'invalid_request', 'temporarily_unavailable'],
  }),
  delete: operation({
    operationId: 'deleteWebhook',
    http: del('/webhooks/:webhookId'),
    tag: 'Webhooks',
    summary: 'Delete a webhook and its pending deliveries',
    description: 'Use it for a receiver that no longer exists.',
    caller: 'merchant',
    params: z.object({ webhookId }),
    reply: z.object({ ok: z.literal(true) }),
    refusals: ['resource_not_found'],
  }),
  rotateSecret: operation({
    operationId: 'rotateWebhookSecret',
    http: post('/webhooks/:webhookId/secret'),
    tag: 'Webhooks',
    summary: 'Rotate a webhook’s secret; the next attempt uses the new one',
    description: 'Use it when the secret may have leaked. During the change, accept signatures of both.',
    caller: 'merchant',
    params: z.object({ webhookId }),
    body: z.strictObject({ overlapHours: SecretOverlapHours }).optional(),
    reply: z.object({
      id: webhookId,
      url: z.string(),
      webhookSecret: WebhookSecret,
      formerSecretUntil: Timestamp.optional(),
    }),
    refusals: ['resource_not_found'],
  }),
  test: operation({
    operationId: 'testWebhook',
    http: post('/webhooks/:webhookId/test'),
    tag: 'Webhooks',
    summary: 'Send a test event to a webhook and return its response',
    description:
      'Use it after registering a webhook or while fixing a receiver: it sends the event `test` and returns the receiver’s response. The log of deliveries shows it too.',
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
