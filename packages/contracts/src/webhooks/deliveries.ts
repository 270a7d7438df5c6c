import { z } from 'zod'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import {
  cursorParameter,
  idOf,
  limitParameter,
  NextCursor,
  optionalText,
  Timestamp,
  TimestampInput,
} from '../primitives.ts'
import {
  DeliveryStatus,
  LOG_OF_ENDPOINTS,
  LOG_OF_MERCHANT,
  LOG_OF_PARTNER,
  LoggedWebhookId,
  logQuery,
  OWN_LOG,
  type LogOwner,
  type LogParams,
  type LogReader,
} from './webhook-log.ts'

/** One attempt of a delivery (decisions §12). */
export const Attempt = z.object({
  at: Timestamp,
  status_code: z.number().int().nullable(),
  latency_ms: z.number().int(),
  error: z.string().nullable(),
  response_body: z.string().nullable(),
  /** The receiver's response is stored, but would make the page too large (decisions §18). */
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

/** A dead delivery with its owner: a partner or a merchant. */
export const DeadDelivery = Delivery.omit({ attempts: true, status: true, next_attempt_at: true }).extend({
  webhook_id: LoggedWebhookId,
  partner_id: idOf('partner').nullable(),
  customer_id: idOf('merchant').nullable(),
  url: z.string(),
})
export type DeadDelivery = z.infer<typeof DeadDelivery>

/** A destination of which a delivery was given up. */
export const FailingWebhook = z.object({
  webhook_id: LoggedWebhookId,
  partner_id: idOf('partner').nullable(),
  customer_id: idOf('merchant').nullable(),
})
export type FailingWebhook = z.infer<typeof FailingWebhook>

export const DeliveryList = z.object({ deliveries: z.array(Delivery), next_cursor: NextCursor })

const list = <P extends LogParams, C extends LogReader>({ params, ...owner }: LogOwner<P, C>) =>
  operation({
    operationId: `list${owner.inId}Deliveries`,
    http: get(`${owner.destinations}/:webhookId/deliveries`, owner.readHttp),
    role: owner.reads,
    tag: owner.tag,
    summary: 'List the deliveries of a destination with their attempts, newest first',
    description:
      'Use it to find out why a receiver missed an event: each attempt has its time, status code and response. `status=dead` lists deliveries after their last attempt.',
    caller: owner.caller,
    params: z.object({ ...params, webhookId: LoggedWebhookId }),
    // With a filter a page that is not the last may be short or empty.
    query: z.object({
      ...logQuery,
      status: DeliveryStatus.optional(),
      event_type: optionalText(100).optional(),
      event_id: optionalText(100).optional(),
    }),
    reply: DeliveryList,
    refusals: ['resource_not_found', 'invalid_cursor'],
  })

const redeliver = <P extends LogParams, C extends LogReader>({ params, ...owner }: LogOwner<P, C>) =>
  operation({
    operationId: `redeliver${owner.inId}Delivery`,
    http: post(`${owner.destinations}/:webhookId/deliveries/:deliveryId/redeliver`, owner.sendHttp),
    role: owner.sends,
    tag: owner.tag,
    audited: owner.audited,
    summary: 'Retry a delivery with the same event_id',
    description: 'Use it for one delivery, after fixing the receiver. For many, start a redelivery.',
    caller: owner.caller,
    params: z.object({
      ...params,
      webhookId: LoggedWebhookId,
      deliveryId: idOf('delivery'),
    }),
    reply: z.object({ delivery: Delivery }),
    refusals: ['resource_not_found'],
  })

/**
 * `webhooks.deliveries`: the log of a destination: of a partner's and, with its integrations' own URLs, of a
 * merchant's for staff (decisions §14), a merchant's own under its API key (decisions §12), and a partner's own (decisions
 * §55).
 */
export const deliveries = resource('webhooks.deliveries', {
  listDead: operation({
    operationId: 'listDeadDeliveries',
    http: get('/deliveries'),
    role: 'viewer',
    tag: 'Webhook log',
    summary: 'List the dead deliveries of all partners and merchants, newest first',
    description: 'Use it to find failing receivers. The log of a destination has each attempt.',
    caller: 'operator',
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: z.object({ deliveries: z.array(DeadDelivery), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  listFailing: operation({
    summary: 'List the destinations of which a delivery was given up since a time, page by page',
    caller: 'service',
    services: ['access'],
    body: z.strictObject({
      since: TimestampInput,
      /** The `next_id` of the page before; empty for the first page. */
      after_id: z.string(),
      limit: z.number().int().min(1).max(200),
    }),
    /** A page without failing destinations can have a next one. */
    reply: z.object({ webhooks: z.array(FailingWebhook).max(200), next_id: z.string().nullable() }),
  }),
  list: list(LOG_OF_PARTNER),
  redeliver: redeliver(LOG_OF_PARTNER),
  listOfMerchant: list(LOG_OF_MERCHANT),
  redeliverOfMerchant: redeliver(LOG_OF_MERCHANT),
  listOwn: list(OWN_LOG),
  redeliverOwn: redeliver(OWN_LOG),
  listOfEndpoint: list(LOG_OF_ENDPOINTS),
  redeliverOfEndpoint: redeliver(LOG_OF_ENDPOINTS),
})
