import { z } from 'zod'
import { get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, NextCursor, optionalText, Timestamp } from '../primitives.ts'
import { Delivery } from './deliveries.ts'
import {
  DeliveryStatus,
  EventStatus,
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

/** An event of the log. */
export const LoggedEvent = z.object({
  event_id: idOf('event'),
  event_type: z.string(),
  integration_id: idOf('integration').nullable(),
  created_at: Timestamp,
  /** Empty where no destination matched it. */
  deliveries: z.array(
    z.object({
      webhook_id: LoggedWebhookId,
      delivery_id: idOf('delivery'),
      status: DeliveryStatus,
      next_attempt_at: Timestamp.nullable(),
    }),
  ),
})
export type LoggedEvent = z.infer<typeof LoggedEvent>

/** An event's body as it is sent: JSON of the channel's envelope. */
const SentPayload = z.record(z.string(), z.unknown())

/** An event with the body that is sent. */
export const LoggedEventDetail = LoggedEvent.extend({ payload: SentPayload })

/** A page may be short or empty; only the last one has no next cursor. */
const query = z.object({
  ...logQuery,
  status: EventStatus.optional(),
  event_type: optionalText(100).optional(),
})
export const LoggedEventList = z.object({ events: z.array(LoggedEvent), next_cursor: NextCursor })

/** @param params the parameters of a path that names the owner alone; none for a merchant's own */
const list = <C extends LogReader, P extends z.ZodType>(owner: LogOwner<LogParams, C>, params: P) =>
  operation({
    operationId: `list${owner.inId}Events`,
    http: get(`${owner.path}/webhook-events`, owner.readHttp),
    role: owner.reads,
    tag: owner.tag,
    summary: 'List the events of a partner or merchant, delivered or not, newest first',
    description:
      'Use it to see what happened, delivered or not, and to find the id of an event to send again.',
    caller: owner.caller,
    params,
    query,
    reply: LoggedEventList,
    refusals: ['invalid_cursor'],
  })

const getEvent = <P extends LogParams, C extends LogReader>({ params, ...owner }: LogOwner<P, C>) =>
  operation({
    operationId: `get${owner.inId}Event`,
    http: get(`${owner.path}/webhook-events/:eventId`, owner.readHttp),
    role: owner.reads,
    tag: owner.tag,
    summary: 'Get an event with the body of its deliveries',
    description: 'Use it while writing a receiver: `payload` is the body of a delivery.',
    caller: owner.caller,
    params: z.object({ ...params, eventId: idOf('event') }),
    reply: z.object({ event: LoggedEventDetail }),
    refusals: ['resource_not_found'],
  })

const listOfDestination = <P extends LogParams, C extends LogReader>({ params, ...owner }: LogOwner<P, C>) =>
  operation({
    operationId: `list${owner.inId}WebhookEvents`,
    http: get(`${owner.destinations}/:webhookId/events`, owner.readHttp),
    role: owner.reads,
    tag: owner.tag,
    summary: 'List the events that a destination received or would have received, newest first',
    description:
      'Use it to find what a receiver missed (`status=missed`), such as events before its registration.',
    caller: owner.caller,
    params: z.object({ ...params, webhookId: LoggedWebhookId }),
    query,
    reply: LoggedEventList,
    refusals: ['resource_not_found', 'invalid_cursor'],
  })

const resend = <P extends LogParams, C extends LogReader>({ params, ...owner }: LogOwner<P, C>) =>
  operation({
    operationId: `resend${owner.inId}Event`,
    http: post(`${owner.destinations}/:webhookId/events/:eventId/resend`, owner.sendHttp),
    role: owner.sends,
    tag: owner.tag,
    audited: owner.audited,
    summary: 'Send an event to a destination, whether delivered, dead or never sent',
    description: 'Use it for one event. It keeps its `event_id`, so receivers recognise a repetition.',
    caller: owner.caller,
    params: z.object({ ...params, webhookId: LoggedWebhookId, eventId: idOf('event') }),
    reply: z.object({ delivery: Delivery }),
    refusals: ['resource_not_found', 'invalid_state'],
  })

/** Owner of a log that contains an event: a partner or a merchant. */
export const EventOwner = z.object({
  partner_id: idOf('partner').nullable(),
  customer_id: idOf('merchant').nullable(),
})
export type EventOwner = z.infer<typeof EventOwner>

/** Maximum owners in the response for one event. */
export const MAX_EVENT_OWNERS = 100

/**
 * `webhooks.events`: the events of a partner or a merchant, apart from their deliveries: for staff (decisions §14),
 * a merchant's own under its API key (decisions §12), and a partner's own (decisions §55).
 */
export const events = resource('webhooks.events', {
  listOwners: operation({
    operationId: 'listEventOwners',
    http: get('/events/:eventId'),
    role: 'viewer',
    tag: 'Webhook log',
    summary: 'List the partners and merchants to which an event was or should have been delivered',
    description: `Use it when you have the id of an event but not its owner; then read the event in the owner’s log. Events without a destination are not found. It returns at most ${MAX_EVENT_OWNERS}.`,
    caller: 'operator',
    params: z.object({ eventId: idOf('event') }),
    reply: z.object({ owners: z.array(EventOwner).max(MAX_EVENT_OWNERS) }),
    refusals: ['resource_not_found'],
  }),
  list: list(LOG_OF_PARTNER, z.object(LOG_OF_PARTNER.params)),
  get: getEvent(LOG_OF_PARTNER),
  listOfDestination: listOfDestination(LOG_OF_PARTNER),
  resend: resend(LOG_OF_PARTNER),
  listOfMerchant: list(LOG_OF_MERCHANT, z.object(LOG_OF_MERCHANT.params)),
  getOfMerchant: getEvent(LOG_OF_MERCHANT),
  listOfMerchantDestination: listOfDestination(LOG_OF_MERCHANT),
  resendOfMerchant: resend(LOG_OF_MERCHANT),
  listOwn: list(OWN_LOG, z.undefined()),
  getOwn: getEvent(OWN_LOG),
  listOfOwnDestination: listOfDestination(OWN_LOG),
  resendOwn: resend(OWN_LOG),
  listOfCallingPartner: list(LOG_OF_ENDPOINTS, z.undefined()),
  getOfCallingPartner: getEvent(LOG_OF_ENDPOINTS),
  listOfEndpoint: listOfDestination(LOG_OF_ENDPOINTS),
  resendToEndpoint: resend(LOG_OF_ENDPOINTS),
})
