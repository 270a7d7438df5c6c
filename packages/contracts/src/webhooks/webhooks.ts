import { z } from 'zod'
import { PARTNER_EVENT_TYPES, PartnerEventType } from '../events/event.ts'
import { operation, resource } from '../operation.ts'
import {
  cursorParameter,
  idOf,
  limitParameter,
  NextCursor,
  pageParameters,
  Timestamp,
} from '../primitives.ts'
import { DeliveryStatus } from './webhook-log.ts'

/** A partner's destination without its secret (spec: Partner webhook subscription). */
export const PartnerWebhook = z.object({
  webhook_id: idOf('webhook'),
  url: z.string(),
  event_types: z.array(PartnerEventType),
  status: z.enum(['active']),
  created_at: Timestamp,
})
export type PartnerWebhook = z.infer<typeof PartnerWebhook>

/** One attempt of a delivery (decisions §12). */
export const Attempt = z.object({
  at: Timestamp,
  status_code: z.number().int().nullable(),
  latency_ms: z.number().int(),
  error: z.string().nullable(),
  response_body: z.string().nullable(),
  /** The receiver's answer is kept, but would have taken the page over its size (decisions §18). */
  response_body_omitted: z.literal(true).optional(),
})

/** A delivery and its attempts (decisions §14). */
export const Delivery = z.object({
  delivery_id: idOf('delivery'),
  event_id: idOf('event'),
  event_type: z.string(),
  status: DeliveryStatus,
  attempts: z.array(Attempt),
  next_attempt_at: Timestamp.nullable(),
  created_at: Timestamp,
})
export type Delivery = z.infer<typeof Delivery>

/** `webhooks.subscriptions`: what a partner reads of its own destinations. */
export const subscriptions = resource('webhooks.subscriptions', {
  list: operation({
    summary: 'Read the destinations, the event types and how deliveries are signed',
    query: z.object(pageParameters),
    reply: z.object({
      webhooks: z.array(PartnerWebhook),
      next_cursor: NextCursor,
      available_event_types: z.array(z.enum(PARTNER_EVENT_TYPES)),
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

const partnerParams = z.object({ partnerId: idOf('partner') })
const webhookParams = z.object({ partnerId: idOf('partner'), webhookId: idOf('webhook') })
const webhookUrl = z.string().min(1).max(2048)
/** An empty list means every type. */
const eventTypes = z.array(PartnerEventType).max(PARTNER_EVENT_TYPES.length)
const webhookSecret = z.string().regex(/^[0-9a-f]{64}$/)

/** `webhooks.destinations`: how staff keep partners' destinations (decisions §12 and §14). */
export const destinations = resource('webhooks.destinations', {
  create: operation({
    summary: 'Create a destination of a partner; its secret is shown once',
    caller: 'operator',
    params: partnerParams,
    body: z.strictObject({ url: webhookUrl, event_types: eventTypes.optional() }),
    reply: z.object({ webhook: PartnerWebhook, webhook_secret: webhookSecret }),
    refusals: ['invalid_request'],
  }),
  list: operation({
    summary: 'List the destinations of a partner',
    caller: 'operator',
    params: partnerParams,
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: z.object({ webhooks: z.array(PartnerWebhook), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  update: operation({
    summary: 'Change the URL or the event types of a destination',
    caller: 'operator',
    params: webhookParams,
    body: z.strictObject({ url: webhookUrl.optional(), event_types: eventTypes.optional() }),
    reply: z.object({ webhook: PartnerWebhook }),
    refusals: ['resource_not_found', 'invalid_request'],
  }),
  remove: operation({
    summary: 'Delete a destination; what waits for it is dropped',
    caller: 'operator',
    params: webhookParams,
    reply: z.object({ deleted: z.literal(true), webhook_id: idOf('webhook') }),
    refusals: ['resource_not_found'],
  }),
  rotateSecret: operation({
    summary: 'Give a destination a new secret, used from the next attempt on',
    caller: 'operator',
    params: webhookParams,
    reply: z.object({ webhook: PartnerWebhook, webhook_secret: webhookSecret }),
    refusals: ['resource_not_found'],
  }),
})
