import { z } from 'zod'
import { operation, resource } from './operation.ts'
import { idOf, NextCursor, Timestamp } from './primitives.ts'
import {
  deliveryQuery,
  DeliveryStatus,
  eventQuery,
  EventStatus,
  LoggedWebhookId,
  redeliveryBody,
  RedeliveryPace,
  RedeliveryStatus,
  SentPayload,
} from './webhook-log.ts'

/** A delivery and its attempts, in the merchant API's spelling. */
export const MerchantDelivery = z.object({
  deliveryId: idOf('delivery'),
  eventId: idOf('event'),
  eventType: z.string(),
  status: DeliveryStatus,
  attempts: z.array(
    z.object({
      at: Timestamp,
      statusCode: z.number().int().nullable(),
      latencyMs: z.number().int(),
      error: z.string().nullable(),
      responseBody: z.string().nullable(),
    }),
  ),
  nextAttemptAt: Timestamp.nullable(),
  createdAt: Timestamp,
})
export type MerchantDelivery = z.infer<typeof MerchantDelivery>

/** An event of the log, in the merchant API's spelling. */
export const MerchantLoggedEvent = z.object({
  eventId: idOf('event'),
  eventType: z.string(),
  integrationId: idOf('integration').nullable(),
  createdAt: Timestamp,
  deliveries: z.array(
    z.object({
      webhookId: LoggedWebhookId,
      deliveryId: idOf('delivery'),
      status: DeliveryStatus,
      nextAttemptAt: Timestamp.nullable(),
    }),
  ),
})
export type MerchantLoggedEvent = z.infer<typeof MerchantLoggedEvent>

/** A redelivery and how far it has come, in the merchant API's spelling. */
export const MerchantRedelivery = z.object({
  redeliveryId: idOf('redelivery'),
  webhookId: LoggedWebhookId,
  status: RedeliveryStatus,
  eventStatus: EventStatus.nullable(),
  since: Timestamp,
  until: Timestamp,
  perSecond: z.number().int(),
  sent: z.number().int(),
  reached: Timestamp,
  createdAt: Timestamp,
  finishedAt: Timestamp.nullable(),
})
export type MerchantRedelivery = z.infer<typeof MerchantRedelivery>

const params = z.object({ webhookId: LoggedWebhookId })
const eventType = z.string().max(100).optional()

/** `webhooks.registrationDeliveries`: the log of a merchant's webhook (decisions §12). */
export const registrationDeliveries = resource('webhooks.registrationDeliveries', {
  list: operation({
    summary: 'List the deliveries of a webhook with their attempts, newest first',
    caller: 'merchant',
    params,
    query: z.object({ ...deliveryQuery, eventType }),
    reply: z.object({ deliveries: z.array(MerchantDelivery), nextCursor: NextCursor }),
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  redeliver: operation({
    summary: 'Send a delivery again, with the same body',
    caller: 'merchant',
    params: params.extend({ deliveryId: idOf('delivery') }),
    reply: z.object({ delivery: MerchantDelivery }),
    refusals: ['resource_not_found'],
  }),
})

const eventList = {
  caller: 'merchant',
  query: z.object({ ...eventQuery, eventType }),
  reply: z.object({ events: z.array(MerchantLoggedEvent), nextCursor: NextCursor }),
} as const

/** `webhooks.registrationEvents`: a merchant's events, apart from their deliveries. */
export const registrationEvents = resource('webhooks.registrationEvents', {
  list: operation({
    ...eventList,
    summary: 'List the events of the merchant, also those that no webhook took, newest first',
    refusals: ['invalid_cursor'],
  }),
  read: operation({
    summary: 'Read an event with the body that is sent',
    caller: 'merchant',
    params: z.object({ eventId: idOf('event') }),
    reply: z.object({ event: MerchantLoggedEvent.extend({ payload: SentPayload }) }),
    refusals: ['resource_not_found'],
  }),
  listOf: operation({
    ...eventList,
    summary: 'List the events that a webhook got or would have taken, newest first',
    params,
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  resend: operation({
    summary: 'Send an event to a webhook, whether it was delivered, is dead or never came there',
    caller: 'merchant',
    params: params.extend({ eventId: idOf('event') }),
    reply: z.object({ delivery: MerchantDelivery }),
    refusals: ['resource_not_found', 'invalid_state'],
  }),
})

const one = params.extend({ redeliveryId: idOf('redelivery') })
const reply = z.object({ redelivery: MerchantRedelivery })

/** `webhooks.registrationRedeliveries`: sending a merchant's events again in bulk. */
export const registrationRedeliveries = resource('webhooks.registrationRedeliveries', {
  start: operation({
    summary: 'Send the events since a time again, oldest first and at a pace; one at a time for a webhook',
    caller: 'merchant',
    params,
    body: z.strictObject({ ...redeliveryBody, perSecond: RedeliveryPace }),
    reply,
    refusals: ['resource_not_found', 'invalid_state'],
  }),
  list: operation({
    summary: 'List the redeliveries of a webhook, newest first',
    caller: 'merchant',
    params,
    reply: z.object({ redeliveries: z.array(MerchantRedelivery) }),
    refusals: ['resource_not_found'],
  }),
  read: operation({
    summary: 'Read how far a redelivery has come',
    caller: 'merchant',
    params: one,
    reply,
    refusals: ['resource_not_found'],
  }),
  cancel: operation({
    summary: 'Stop a redelivery; what it has made due is still sent',
    caller: 'merchant',
    params: one,
    reply,
    refusals: ['resource_not_found'],
  }),
})
