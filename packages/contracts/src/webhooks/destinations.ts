import { z } from 'zod'
import { OPT_IN_EVENT_TYPES, PARTNER_EVENT_TYPES, PartnerEventType } from '../events/event-names.ts'
import { preparationOf } from '../gateway/four-eyes.ts'
import { del, get, patch, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { cursorParameter, idOf, limitParameter, NextCursor, Timestamp } from '../primitives.ts'
import { MAX_URL_LENGTH } from '../web-address.ts'

/** A receiver's URL; the service checks it. */
export const WebhookUrl = z.string().min(1).max(MAX_URL_LENGTH)
/** 32 random bytes as lower-case hex. It is shown once. */
export const WebhookSecret = z.string().regex(/^[0-9a-f]{64}$/)

/** Maximum overlap of the previous and the new secret, in hours (decisions §46). */
export const SecretOverlapHours = z.number().int().min(1).max(72).optional().meta({
  description:
    'Hours during which the previous secret still signs `x-signature`, and the new one `x-signature-next`',
})

/** Maximum destinations of a partner; a logged event lists the deliveries to each. */
export const MAX_DESTINATIONS = 1_000

/** In a change of a webhook (decisions §46). */
export const EndOfOverlap = z
  .null()
  .optional()
  .meta({ description: 'Null ends the overlap of a rotation: the previous secret no longer signs' })

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
    'Other webhooks of the same URL that receive the same events, once each. Absent if there are no others',
})

const partnerParams = z.object({ partnerId: idOf('partner') })
const webhookParams = z.object({ partnerId: idOf('partner'), webhookId: idOf('webhook') })
const eventTypes = z
  .array(PartnerEventType)
  .max(PARTNER_EVENT_TYPES.length)
  .meta({
    description: `Empty: every type except those that must be named (${OPT_IN_EVENT_TYPES.map((type) => `\`${type}\``).join(', ')})`,
  })

export const PartnerWebhookList = z.object({ webhooks: z.array(PartnerWebhook), next_cursor: NextCursor })

export const CreatePartnerWebhookRequest = z.strictObject({
  url: WebhookUrl,
  event_types: eventTypes.optional(),
})
export const UpdatePartnerWebhookRequest = z.strictObject({
  url: WebhookUrl.optional(),
  event_types: eventTypes.optional(),
  status: WebhookStatus.optional(),
  former_secret_until: EndOfOverlap,
})
export const WebhookRotation = z.strictObject({ overlap_hours: SecretOverlapHours }).optional()
export const CreatedWebhook = z.object({
  webhook: PartnerWebhook,
  webhook_secret: WebhookSecret,
  duplicate_of: Duplicates,
})
export const UpdatedWebhook = z.object({ webhook: PartnerWebhook, duplicate_of: Duplicates })
export const DeletedWebhook = z.object({ deleted: z.literal(true), webhook_id: idOf('webhook') })
export const RotatedWebhook = z.object({ webhook: PartnerWebhook, webhook_secret: WebhookSecret })
/** The receiver's response to a test event. */
export const TestedWebhook = z.object({
  /** True if the receiver answered 2xx. */
  success: z.boolean(),
  event_id: idOf('event'),
  /** Null when no answer arrived. */
  status_code: z.number().int().nullable(),
  error: z.string().nullable(),
  response_body: z.string().nullable(),
})
export type TestedWebhook = z.infer<typeof TestedWebhook>
/** A test call waits for the channel's whole timeout (decisions §12). */
export const TEST_CALL_WAIT_MS = 10_000
const UpdatedState = z.object({ url: z.string() })

/** `webhooks.destinations`: how staff keep partners' destinations (decisions §12 and §14). */
export const destinations = resource('webhooks.destinations', {
  create: operation({
    operationId: 'createPartnerWebhook',
    http: post('/partners/:partnerId/webhooks', { status: 201, ofPartner: true, portal: true }),
    role: 'admin',
    tag: 'Webhooks',
    fourEyes: ['keys', 'webhooks'],
    summary: 'Create a destination of a partner; its secret is shown once',
    description:
      'Use it when a partner gives you a URL for its events. Pass the secret on immediately: it is shown only once.',
    caller: 'operator',
    params: partnerParams,
    body: CreatePartnerWebhookRequest,
    reply: CreatedWebhook,
    refusals: ['invalid_request', 'limit_reached'],
  }),
  list: operation({
    operationId: 'listPartnerWebhooks',
    http: get('/partners/:partnerId/webhooks', { ofPartner: true, portal: true }),
    role: 'viewer',
    tag: 'Webhooks',
    summary: 'List the destinations of a partner',
    description: 'Use it to find a destination’s id and its subscribed events.',
    caller: 'operator',
    params: partnerParams,
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: PartnerWebhookList,
    refusals: ['invalid_cursor'],
  }),
  update: operation({
    operationId: 'updatePartnerWebhook',
    http: patch('/partners/:partnerId/webhooks/:webhookId', { ofPartner: true, portal: true }),
    role: 'admin',
    tag: 'Webhooks',
    fourEyes: ['webhooks'],
    preparedBy: 'prepareUpdate',
    expected: UpdatedState,
    summary: 'Update, disable or enable a destination, or end the overlap of its rotation early',
    description:
      'Use it when a partner moves its receiver, or wants other events. It applies from the next attempt.',
    caller: 'operator',
    params: webhookParams,
    body: UpdatePartnerWebhookRequest,
    reply: UpdatedWebhook,
    refusals: ['resource_not_found', 'invalid_request'],
  }),
  prepareUpdate: operation({
    summary: 'Get the state of a destination that an update would change',
    caller: 'operator',
    params: webhookParams,
    body: UpdatePartnerWebhookRequest,
    reply: preparationOf(UpdatedState),
    refusals: ['resource_not_found'],
  }),
  delete: operation({
    operationId: 'deletePartnerWebhook',
    http: del('/partners/:partnerId/webhooks/:webhookId', { ofPartner: true, portal: true }),
    role: 'admin',
    tag: 'Webhooks',
    summary: 'Delete a destination and its pending deliveries',
    description:
      'Use it for a receiver that no longer exists. It also deletes pending deliveries and the log.',
    caller: 'operator',
    params: webhookParams,
    reply: DeletedWebhook,
    refusals: ['resource_not_found'],
  }),
  rotateSecret: operation({
    operationId: 'rotatePartnerWebhookSecret',
    http: post('/partners/:partnerId/webhooks/:webhookId/secret', {
      status: 201,
      ofPartner: true,
      portal: true,
    }),
    role: 'admin',
    tag: 'Webhooks',
    fourEyes: ['keys'],
    summary: 'Rotate a destination’s secret; the next attempt uses the new one',
    description:
      'Use it when a secret may have leaked. The receiver must know the new secret within the retry schedule or, with `overlap_hours`, before the overlap ends.',
    caller: 'operator',
    params: webhookParams,
    body: WebhookRotation,
    reply: RotatedWebhook,
    refusals: ['resource_not_found'],
  }),
  test: operation({
    operationId: 'testPartnerWebhook',
    http: post('/partners/:partnerId/webhooks/:webhookId/test', { ofPartner: true, portal: true }),
    role: 'admin',
    tag: 'Webhooks',
    summary: 'Send a test event to a destination and return its response',
    description:
      'Use it after creating a destination or while fixing its receiver: it sends the event `test` and returns the receiver’s response. The log of deliveries shows it too.',
    caller: 'operator',
    params: webhookParams,
    reply: TestedWebhook,
    refusals: ['resource_not_found'],
    waitsMs: TEST_CALL_WAIT_MS,
  }),
})
