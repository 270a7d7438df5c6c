import { z } from 'zod'
import { PARTNER_EVENT_TYPES, PartnerEventType } from './event.ts'
import { operation, resource } from './operation.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, Timestamp, TimestampInput } from './primitives.ts'

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
})

/** A delivery and its attempts (decisions §14). */
export const Delivery = z.object({
  delivery_id: idOf('delivery'),
  event_id: idOf('event'),
  event_type: z.string(),
  status: z.enum(['waiting', 'delivered', 'dead']),
  attempts: z.array(Attempt),
  next_attempt_at: Timestamp.nullable(),
  created_at: Timestamp,
})
export type Delivery = z.infer<typeof Delivery>

/** Which deliveries a list shows, or a bulk redelivery sends again; both times are of the delivery's creation. */
export const deliveryFilter = {
  /** Inclusive. */
  since: TimestampInput.optional(),
  /** Exclusive. */
  until: TimestampInput.optional(),
}

/** What a bulk redelivery takes: only ended deliveries are sent again; without a status all of them. */
export const BulkRedelivery = z.strictObject({
  since: TimestampInput,
  until: TimestampInput.optional(),
  status: z.enum(['delivered', 'dead']).optional(),
  cursor: z.string().max(1_000).nullish(),
})

/** `webhooks.subscriptions`: what a partner reads of its own destinations. */
export const subscriptions = resource('webhooks.subscriptions', {
  list: operation({
    summary: 'Read the destinations, the event types and how deliveries are signed',
    reply: z.object({
      webhooks: z.array(PartnerWebhook),
      available_event_types: z.array(z.enum(PARTNER_EVENT_TYPES)),
      signature: z.object({
        algorithm: z.literal('hmac-sha256'),
        header: z.literal('x-signature'),
        format: z.literal('v1=<hex>'),
        signed_payload: z.literal('<x-timestamp>.<raw request body>'),
      }),
    }),
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

/** `webhooks.deliveries`: the log of a partner destination (decisions §14). */
export const deliveries = resource('webhooks.deliveries', {
  list: operation({
    summary: 'List the deliveries of a destination with their attempts, newest first',
    caller: 'operator',
    params: webhookParams,
    query: z.object({
      limit: limitParameter(50, 100),
      cursor: cursorParameter,
      status: Delivery.shape.status.optional(),
      ...deliveryFilter,
    }),
    reply: z.object({ deliveries: z.array(Delivery), next_cursor: NextCursor }),
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  redeliver: operation({
    summary: 'Send a delivery again, with the same event_id',
    caller: 'operator',
    params: z.object({
      partnerId: idOf('partner'),
      webhookId: idOf('webhook'),
      deliveryId: idOf('delivery'),
    }),
    reply: z.object({ delivery: Delivery }),
    refusals: ['resource_not_found'],
  }),
  redeliverSince: operation({
    summary:
      'Send the ended deliveries of a time again, oldest first; repeat with next_cursor until it is null',
    caller: 'operator',
    params: webhookParams,
    body: BulkRedelivery,
    reply: z.object({ redelivered: z.number().int(), next_cursor: NextCursor }),
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
})
