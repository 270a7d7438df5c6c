import { z } from 'zod'
import { PARTNER_EVENT_TYPES, PartnerEventType } from '../events/event.ts'
import { operation, resource } from '../operation.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, Timestamp } from '../primitives.ts'
import { MAX_URL_LENGTH } from '../web-address.ts'

/** A receiver's URL; the service checks it. */
export const WebhookUrl = z.string().min(1).max(MAX_URL_LENGTH)
/** 32 random bytes as lower-case hex. It is shown once. */
export const WebhookSecret = z.string().regex(/^[0-9a-f]{64}$/)

/** For how long the former secret may go on signing beside a new one, in hours (decisions §46). */
export const SecretOverlapHours = z.number().int().min(1).max(72).optional().meta({
  description:
    'Hours for which the former secret still signs `x-signature`, and the new one `x-signature-next`',
})

/** In a change of a webhook (decisions §46). */
export const EndOfOverlap = z
  .null()
  .optional()
  .meta({ description: 'Null ends the overlap of a rotation: the former secret signs no more' })

/** `disabled`: no attempt begins until it is `active` again (decisions §46). */
export const WebhookStatus = z.enum(['active', 'disabled'])
export type WebhookStatus = z.infer<typeof WebhookStatus>

/** A partner's destination without its secret (spec: Partner webhook subscription). */
export const PartnerWebhook = z.object({
  webhook_id: idOf('webhook'),
  url: z.string(),
  event_types: z.array(PartnerEventType),
  status: WebhookStatus,
  created_at: Timestamp,
  /** Only during the overlap of a rotation: until then the former secret signs `x-signature`. */
  former_secret_until: Timestamp.optional(),
  /** Only while it is disabled: since when. */
  disabled_at: Timestamp.optional(),
})
export type PartnerWebhook = z.infer<typeof PartnerWebhook>

/** Only where there are some: other destinations of the same URL that get some of the same events. */
export const Duplicates = z.array(z.string()).optional().meta({
  description:
    'Other webhooks of the same URL that get the same events, once each. Left out where there is none',
})

const partnerParams = z.object({ partnerId: idOf('partner') })
const webhookParams = z.object({ partnerId: idOf('partner'), webhookId: idOf('webhook') })
/** An empty list means every type. */
const eventTypes = z.array(PartnerEventType).max(PARTNER_EVENT_TYPES.length)

export const PartnerWebhookList = z.object({ webhooks: z.array(PartnerWebhook), next_cursor: NextCursor })

/** `webhooks.destinations`: how staff keep partners' destinations (decisions §12 and §14). */
export const destinations = resource('webhooks.destinations', {
  create: operation({
    operationId: 'createPartnerWebhook',
    summary: 'Create a destination of a partner; its secret is shown once',
    description:
      'Use it when a partner gives you an address for its events. Hand it the secret at once: it is shown this one time.',
    caller: 'operator',
    params: partnerParams,
    body: z.strictObject({ url: WebhookUrl, event_types: eventTypes.optional() }),
    reply: z.object({ webhook: PartnerWebhook, webhook_secret: WebhookSecret, duplicate_of: Duplicates }),
    refusals: ['invalid_request'],
  }),
  list: operation({
    operationId: 'listPartnerWebhooks',
    summary: 'List the destinations of a partner',
    description: 'Use it to find a destination’s id and what it is subscribed to.',
    caller: 'operator',
    params: partnerParams,
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: PartnerWebhookList,
    refusals: ['invalid_cursor'],
  }),
  update: operation({
    operationId: 'updatePartnerWebhook',
    summary: 'Change, disable or enable a destination, or end the overlap of its rotation early',
    description:
      'Use it when a partner moves its receiver, or wants other events. It counts from the next attempt on.',
    caller: 'operator',
    params: webhookParams,
    body: z.strictObject({
      url: WebhookUrl.optional(),
      event_types: eventTypes.optional(),
      status: WebhookStatus.optional(),
      former_secret_until: EndOfOverlap,
    }),
    reply: z.object({ webhook: PartnerWebhook, duplicate_of: Duplicates }),
    refusals: ['resource_not_found', 'invalid_request'],
  }),
  delete: operation({
    operationId: 'deletePartnerWebhook',
    summary: 'Delete a destination; what waits for it is dropped',
    description:
      'Use it for a receiver that is gone for good: what waits for it is dropped, and its log with it.',
    caller: 'operator',
    params: webhookParams,
    reply: z.object({ deleted: z.literal(true), webhook_id: idOf('webhook') }),
    refusals: ['resource_not_found'],
  }),
  rotateSecret: operation({
    operationId: 'rotatePartnerWebhookSecret',
    summary: 'Give a destination a new secret, used from the next attempt on',
    description:
      'Use it when a secret may be known to others. The receiver has to know the new one within the retry schedule, or, with `overlap_hours`, until then.',
    caller: 'operator',
    params: webhookParams,
    body: z.strictObject({ overlap_hours: SecretOverlapHours }).optional(),
    reply: z.object({ webhook: PartnerWebhook, webhook_secret: WebhookSecret }),
    refusals: ['resource_not_found'],
  }),
  test: operation({
    operationId: 'testPartnerWebhook',
    summary: 'Send a sample to a destination and tell what it answered',
    description:
      'Use it after creating a destination, or while its receiver is mended: it sends the event `test` and tells at once what the receiver answered. The log of deliveries has it too.',
    caller: 'operator',
    params: webhookParams,
    reply: z.object({
      /** Whether the receiver answered 2xx. */
      success: z.boolean(),
      event_id: idOf('event'),
      /** Null when no answer arrived. */
      status_code: z.number().int().nullable(),
      error: z.string().nullable(),
      response_body: z.string().nullable(),
    }),
    refusals: ['resource_not_found'],
    // The test call waits for the channel's whole timeout (decisions §12).
    waitsMs: 10_000,
  }),
})
