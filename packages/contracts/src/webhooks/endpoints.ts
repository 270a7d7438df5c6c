import { z } from 'zod'
import { del, get, patch, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, pageParameters } from '../primitives.ts'
import {
  CreatedWebhook,
  DeletedWebhook,
  CreatePartnerWebhookRequest,
  PartnerWebhook,
  PartnerWebhookList,
  RotatedWebhook,
  TEST_CALL_WAIT_MS,
  TestedWebhook,
  UpdatedWebhook,
  WebhookRotation,
  UpdatePartnerWebhookRequest,
} from './destinations.ts'

/** Maximum destinations with which a partner can create another one by its API; staff can create more. */
export const MAX_OWN_ENDPOINTS = 100

const params = z.object({ webhookId: idOf('webhook') })
const reads = { scopes: ['webhooks:read'] }
const writes = { scopes: ['webhooks:write'] }
const tag = 'Partner webhooks'

/** `webhooks.endpoints`: how partners keep their own destinations (decisions §55). */
export const endpoints = resource('webhooks.endpoints', {
  list: operation({
    operationId: 'listWebhookEndpoints',
    http: get('/webhook-endpoints', reads),
    tag,
    summary: 'List the webhook endpoints, oldest first',
    description: 'Use it to find an endpoint’s id, its status and its event types.',
    query: z.object(pageParameters),
    reply: PartnerWebhookList,
    refusals: ['invalid_cursor'],
  }),
  get: operation({
    operationId: 'getWebhookEndpoint',
    http: get('/webhook-endpoints/:webhookId', reads),
    tag,
    summary: 'Get a webhook endpoint',
    description: 'Use it to check where an endpoint sends. Its secret is never returned.',
    params,
    reply: z.object({ webhook: PartnerWebhook }),
    refusals: ['resource_not_found'],
  }),
  create: operation({
    operationId: 'createWebhookEndpoint',
    http: post('/webhook-endpoints', { ...writes, status: 201 }),
    tag,
    audited: true,
    summary: 'Create a webhook endpoint; its secret is shown once',
    description: `Use it to receive your events. Store \`webhook_secret\`: it is shown only once, and signs every delivery. At most ${MAX_OWN_ENDPOINTS} endpoints.`,
    body: z.strictObject(CreatePartnerWebhookRequest.shape),
    reply: CreatedWebhook,
    refusals: ['invalid_request', 'limit_reached'],
  }),
  update: operation({
    operationId: 'updateWebhookEndpoint',
    http: patch('/webhook-endpoints/:webhookId', writes),
    tag,
    audited: true,
    summary: 'Update, disable or enable a webhook endpoint, or end the overlap of its rotation early',
    description:
      'Use it when your receiver moves, or for other events. It applies from the next attempt. Omitted fields do not change.',
    params,
    body: z.strictObject(UpdatePartnerWebhookRequest.shape),
    reply: UpdatedWebhook,
    refusals: ['resource_not_found', 'invalid_request'],
  }),
  delete: operation({
    operationId: 'deleteWebhookEndpoint',
    http: del('/webhook-endpoints/:webhookId', writes),
    tag,
    audited: true,
    summary: 'Delete a webhook endpoint and its pending deliveries',
    description: 'Use it for a receiver that no longer exists. Its log is deleted too.',
    params,
    reply: DeletedWebhook,
    refusals: ['resource_not_found'],
  }),
  rotateSecret: operation({
    operationId: 'rotateWebhookEndpointSecret',
    http: post('/webhook-endpoints/:webhookId/secret', { ...writes, status: 201 }),
    tag,
    audited: true,
    summary: 'Rotate the secret of a webhook endpoint; the next attempt uses the new one',
    description:
      'Use it when the secret may have leaked, or at regular times. With `overlap_hours` both secrets sign until the overlap ends.',
    params,
    body: WebhookRotation,
    reply: RotatedWebhook,
    refusals: ['resource_not_found'],
  }),
  test: operation({
    operationId: 'testWebhookEndpoint',
    http: post('/webhook-endpoints/:webhookId/test', writes),
    tag,
    audited: true,
    summary: 'Send a test event to a webhook endpoint and return its response',
    description:
      'Use it after creating an endpoint or while fixing its receiver: it sends the event `test` and returns the receiver’s response. The deliveries show it too.',
    params,
    reply: TestedWebhook,
    refusals: ['resource_not_found'],
    waitsMs: TEST_CALL_WAIT_MS,
  }),
})
