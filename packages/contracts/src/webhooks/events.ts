import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { idOf, NextCursor, optionalText, Timestamp } from '../primitives.ts'
import { Delivery } from './deliveries.ts'
import {
  DeliveryStatus,
  EventStatus,
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
const list = <C extends LogReader, P extends z.ZodType>(
  { caller, inId }: LogOwner<LogParams, C>,
  params: P,
) =>
  operation({
    operationId: `list${inId}Events`,
    summary: 'List the events of a partner or merchant, also those that no destination took, newest first',
    description:
      'Use it to see what happened, whether or not anybody was told, and to find the id of an event to send again.',
    caller,
    params,
    query,
    reply: LoggedEventList,
    refusals: ['invalid_cursor'],
  })

const get = <P extends LogParams, C extends LogReader>({ params, caller, inId }: LogOwner<P, C>) =>
  operation({
    operationId: `get${inId}Event`,
    summary: 'Read an event with the body that is sent',
    description: 'Use it while writing a receiver: `payload` is what a delivery of the event holds.',
    caller,
    params: z.object({ ...params, eventId: idOf('event') }),
    reply: z.object({ event: LoggedEventDetail }),
    refusals: ['resource_not_found'],
  })

const listOfDestination = <P extends LogParams, C extends LogReader>({
  params,
  caller,
  inId,
}: LogOwner<P, C>) =>
  operation({
    operationId: `list${inId}WebhookEvents`,
    summary: 'List the events that a destination got or would have taken, newest first',
    description:
      'Use it to find what a receiver missed (`status=missed`), such as what happened before it was registered.',
    caller,
    params: z.object({ ...params, webhookId: LoggedWebhookId }),
    query,
    reply: LoggedEventList,
    refusals: ['resource_not_found', 'invalid_cursor'],
  })

const resend = <P extends LogParams, C extends LogReader>({ params, caller, inId }: LogOwner<P, C>) =>
  operation({
    operationId: `resend${inId}Event`,
    summary: 'Send an event to a destination, whether it was delivered, is dead or never came there',
    description: 'Use it for one event. It is sent with its own `event_id`, so a receiver knows it again.',
    caller,
    params: z.object({ ...params, webhookId: LoggedWebhookId, eventId: idOf('event') }),
    reply: z.object({ delivery: Delivery }),
    refusals: ['resource_not_found', 'invalid_state'],
  })

/** Whose log has an event: a partner's, or a merchant's. */
export const EventOwner = z.object({
  partner_id: idOf('partner').nullable(),
  customer_id: idOf('merchant').nullable(),
})
export type EventOwner = z.infer<typeof EventOwner>

/** Most owners that an event is answered with. */
export const MAX_EVENT_OWNERS = 100

/**
 * `webhooks.events`: the events of a partner or a merchant, apart from their deliveries: for staff (decisions §14), and
 * a merchant's own under its API key (decisions §12).
 */
export const events = resource('webhooks.events', {
  listOwners: operation({
    operationId: 'listEventOwners',
    summary: 'List the partners and merchants that an event was delivered to, or was meant to be',
    description: `Use it where you have the id of an event and do not know whose it is; then read the event in that log. One that no destination took is not found here. It answers the first ${MAX_EVENT_OWNERS}.`,
    caller: 'operator',
    params: z.object({ eventId: idOf('event') }),
    reply: z.object({ owners: z.array(EventOwner).max(MAX_EVENT_OWNERS) }),
    refusals: ['resource_not_found'],
  }),
  list: list(LOG_OF_PARTNER, z.object(LOG_OF_PARTNER.params)),
  get: get(LOG_OF_PARTNER),
  listOfDestination: listOfDestination(LOG_OF_PARTNER),
  resend: resend(LOG_OF_PARTNER),
  listOfMerchant: list(LOG_OF_MERCHANT, z.object(LOG_OF_MERCHANT.params)),
  getOfMerchant: get(LOG_OF_MERCHANT),
  listOfMerchantDestination: listOfDestination(LOG_OF_MERCHANT),
  resendOfMerchant: resend(LOG_OF_MERCHANT),
  listOwn: list(OWN_LOG, z.undefined()),
  getOwn: get(OWN_LOG),
  listOfOwnDestination: listOfDestination(OWN_LOG),
  resendOwn: resend(OWN_LOG),
})
