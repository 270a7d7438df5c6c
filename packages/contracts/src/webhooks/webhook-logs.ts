import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { idOf, NextCursor, optionalText } from '../primitives.ts'
import {
  deliveryQuery,
  eventQuery,
  LoggedEvent,
  LoggedWebhookId,
  Redelivery,
  redeliveryBody,
  RedeliveryPace,
  SentPayload,
} from './webhook-log.ts'
import { Delivery } from './webhooks.ts'

const ofPartner = { partnerId: idOf('partner') }
const ofMerchant = { customerId: idOf('merchant') }
/** The merchant API names no owner in its paths: the key tells it. */
const ofCaller = {}
type Owner = typeof ofPartner | typeof ofMerchant | typeof ofCaller
type Reader = 'operator' | 'merchant'

const deliveriesOf = <const O extends Owner, const R extends Reader>(name: string, owner: O, caller: R) =>
  resource(name, {
    list: operation({
      summary: 'List the deliveries of a destination with their attempts, newest first',
      caller,
      params: z.object({ ...owner, webhookId: LoggedWebhookId }),
      query: z.object({ ...deliveryQuery, event_type: optionalText(100).optional() }),
      reply: z.object({ deliveries: z.array(Delivery), next_cursor: NextCursor }),
      refusals: ['resource_not_found', 'invalid_cursor'],
    }),
    redeliver: operation({
      summary: 'Send a delivery again, with the same event_id',
      caller,
      params: z.object({ ...owner, webhookId: LoggedWebhookId, deliveryId: idOf('delivery') }),
      reply: z.object({ delivery: Delivery }),
      refusals: ['resource_not_found'],
    }),
  })

/** @param ownerParams the parameters of a path that names the owner alone */
const eventsOf = <const O extends Owner, const R extends Reader, const P extends z.ZodType>(
  name: string,
  owner: O,
  caller: R,
  ownerParams: P,
) => {
  const query = z.object({ ...eventQuery, event_type: optionalText(100).optional() })
  const reply = z.object({ events: z.array(LoggedEvent), next_cursor: NextCursor })
  return resource(name, {
    list: operation({
      summary: 'List the events of a partner or merchant, also those that no destination took, newest first',
      caller,
      params: ownerParams,
      query,
      reply,
      refusals: ['invalid_cursor'],
    }),
    read: operation({
      summary: 'Read an event with the body that is sent',
      caller,
      params: z.object({ ...owner, eventId: idOf('event') }),
      reply: z.object({ event: LoggedEvent.extend({ payload: SentPayload }) }),
      refusals: ['resource_not_found'],
    }),
    listOf: operation({
      summary: 'List the events that a destination got or would have taken, newest first',
      caller,
      params: z.object({ ...owner, webhookId: LoggedWebhookId }),
      query,
      reply,
      refusals: ['resource_not_found', 'invalid_cursor'],
    }),
    resend: operation({
      summary: 'Send an event to a destination, whether it was delivered, is dead or never came there',
      caller,
      params: z.object({ ...owner, webhookId: LoggedWebhookId, eventId: idOf('event') }),
      reply: z.object({ delivery: Delivery }),
      refusals: ['resource_not_found', 'invalid_state'],
    }),
  })
}

const redeliveriesOf = <const O extends Owner, const R extends Reader>(name: string, owner: O, caller: R) => {
  const params = z.object({ ...owner, webhookId: LoggedWebhookId })
  const one = z.object({ ...owner, webhookId: LoggedWebhookId, redeliveryId: idOf('redelivery') })
  const reply = z.object({ redelivery: Redelivery })
  return resource(name, {
    start: operation({
      summary:
        'Send the events since a time again, oldest first and at a pace; one at a time for a destination',
      caller,
      params,
      body: z.strictObject({ ...redeliveryBody, per_second: RedeliveryPace }),
      reply,
      refusals: ['resource_not_found', 'invalid_state'],
    }),
    list: operation({
      summary: 'List the redeliveries of a destination, newest first',
      caller,
      params,
      reply: z.object({ redeliveries: z.array(Redelivery) }),
      refusals: ['resource_not_found'],
    }),
    read: operation({
      summary: 'Read how far a redelivery has come',
      caller,
      params: one,
      reply,
      refusals: ['resource_not_found'],
    }),
    cancel: operation({
      summary: 'Stop a redelivery; what it has made due is still sent',
      caller,
      params: one,
      reply,
      refusals: ['resource_not_found'],
    }),
  })
}

/** `webhooks.deliveries`: the log of a partner destination (decisions §14). */
export const deliveries = deliveriesOf('webhooks.deliveries', ofPartner, 'operator')
/** `webhooks.events`: the events of a partner, apart from their deliveries. */
export const events = eventsOf('webhooks.events', ofPartner, 'operator', z.object(ofPartner))
/** `webhooks.redeliveries`: sending events again in bulk. */
export const redeliveries = redeliveriesOf('webhooks.redeliveries', ofPartner, 'operator')

/** The same of a merchant's webhooks and its integrations' own URLs, for staff. */
export const merchantDeliveries = deliveriesOf('webhooks.merchant-deliveries', ofMerchant, 'operator')
export const merchantEvents = eventsOf(
  'webhooks.merchant-events',
  ofMerchant,
  'operator',
  z.object(ofMerchant),
)
export const merchantRedeliveries = redeliveriesOf('webhooks.merchant-redeliveries', ofMerchant, 'operator')

/** The same for the merchant itself, under its API key (decisions §12). */
export const registrationDeliveries = deliveriesOf('webhooks.registration-deliveries', ofCaller, 'merchant')
export const registrationEvents = eventsOf(
  'webhooks.registration-events',
  ofCaller,
  'merchant',
  z.undefined(),
)
export const registrationRedeliveries = redeliveriesOf(
  'webhooks.registration-redeliveries',
  ofCaller,
  'merchant',
)
