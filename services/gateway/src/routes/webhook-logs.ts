import {
  deliveries,
  events,
  merchantDeliveries,
  merchantEvents,
  merchantRedeliveries,
  redeliveries,
} from '@causeway/contracts'
import { routesUnder } from '../http/route.ts'

const { get, post, del } = routesUnder('/api/operator')

const ofDestination = (
  owner: string,
  log: Readonly<{
    deliveries: typeof deliveries | typeof merchantDeliveries
    events: typeof events | typeof merchantEvents
    redeliveries: typeof redeliveries | typeof merchantRedeliveries
  }>,
  options: Readonly<{ ofPartner: true } | { ofMerchant: true }>,
) => [
  get(`${owner}/webhook-events`, log.events.list, options),
  get(`${owner}/webhook-events/:eventId`, log.events.read, options),
  get(`${owner}/webhooks/:webhookId/deliveries`, log.deliveries.list, options),
  post(`${owner}/webhooks/:webhookId/deliveries/:deliveryId/redeliver`, log.deliveries.redeliver, options),
  get(`${owner}/webhooks/:webhookId/events`, log.events.listOf, options),
  post(`${owner}/webhooks/:webhookId/events/:eventId/resend`, log.events.resend, options),
  post(`${owner}/webhooks/:webhookId/redeliveries`, log.redeliveries.start, { ...options, status: 201 }),
  get(`${owner}/webhooks/:webhookId/redeliveries`, log.redeliveries.list, options),
  get(`${owner}/webhooks/:webhookId/redeliveries/:redeliveryId`, log.redeliveries.read, options),
  del(`${owner}/webhooks/:webhookId/redeliveries/:redeliveryId`, log.redeliveries.cancel, options),
]

/** The logs of partners' destinations and of merchants' webhooks, and sending again from them (decisions §14). */
export const webhookLogRoutes = [
  ...ofDestination('/partners/:partnerId', { deliveries, events, redeliveries }, { ofPartner: true }),
  ...ofDestination(
    '/merchants/:customerId',
    { deliveries: merchantDeliveries, events: merchantEvents, redeliveries: merchantRedeliveries },
    { ofMerchant: true },
  ),
]
