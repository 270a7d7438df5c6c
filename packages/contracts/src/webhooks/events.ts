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

/** A page may be short or empty; only the last one has no next cursor. */
const query = z.object({
  ...logQuery,
  status: EventStatus.optional(),
  event_type: optionalText(100).optional(),
})
const reply = z.object({ events: z.array(LoggedEvent), next_cursor: NextCursor })

/** @param params the parameters of a path that names the owner alone; none for a merchant's own */
const list = <C extends LogReader, P extends z.ZodType>(caller: C, params: P) =>
  operation({
    summary: 'List the events of a partner or merchant, also those that no destination took, newest first',
    caller,
    params,
    query,
    reply,
    refusals: ['invalid_cursor'],
  })

const get = <P extends LogParams, C extends LogReader>({ params, caller }: LogOwner<P, C>) =>
  operation({
    summary: 'Read an event with the body that is sent',
    caller,
    params: z.object({ ...params, eventId: idOf('event') }),
    reply: z.object({ event: LoggedEvent.extend({ payload: SentPayload }) }),
    refusals: ['resource_not_found'],
  })

const listOfDestination = <P extends LogParams, C extends LogReader>({ params, caller }: LogOwner<P, C>) =>
  operation({
    summary: 'List the events that a destination got or would have taken, newest first',
    caller,
    params: z.object({ ...params, webhookId: LoggedWebhookId }),
    query,
    reply,
    refusals: ['resource_not_found', 'invalid_cursor'],
  })

const resend = <P extends LogParams, C extends LogReader>({ params, caller }: LogOwner<P, C>) =>
  operation({
    summary: 'Send an event to a destination, whether it was delivered, is dead or never came there',
    caller,
    params: z.object({ ...params, webhookId: LoggedWebhookId, eventId: idOf('event') }),
    reply: z.object({ delivery: Delivery }),
    refusals: ['resource_not_found', 'invalid_state'],
  })

/**
 * `webhooks.events`: the events of a partner or a merchant, apart from their deliveries: for staff (decisions §14), and
 * a merchant's own under its API key (decisions §12).
 */
export const events = resource('webhooks.events', {
  list: list('operator', z.object(LOG_OF_PARTNER.params)),
  get: get(LOG_OF_PARTNER),
  listOfDestination: listOfDestination(LOG_OF_PARTNER),
  resend: resend(LOG_OF_PARTNER),
  listOfMerchant: list('operator', z.object(LOG_OF_MERCHANT.params)),
  getOfMerchant: get(LOG_OF_MERCHANT),
  listOfMerchantDestination: listOfDestination(LOG_OF_MERCHANT),
  resendOfMerchant: resend(LOG_OF_MERCHANT),
  listOwn: list('merchant', z.undefined()),
  getOwn: get(OWN_LOG),
  listOfOwnDestination: listOfDestination(OWN_LOG),
  resendOwn: resend(OWN_LOG),
})
