import {
  deliveries,
  events,
  merchantDeliveries,
  merchantEvents,
  merchantRedeliveries,
  redeliveries,
} from '@causeway/contracts'
import { staffRoutes } from '../http/route.ts'

const viewer = staffRoutes('viewer')
const admin = staffRoutes('admin')

const ofDestination = (
  owner: string,
  log: Readonly<{
    deliveries: typeof deliveries | typeof merchantDeliveries
    events: typeof events | typeof merchantEvents
    redeliveries: typeof redeliveries | typeof merchantRedeliveries
  }>,
  options: Readonly<{ ofPartner: true } | { ofMerchant: true }>,
) => [
  viewer.get(`${owner}/webhook-events`, log.events.list, options),
  viewer.get(`${owner}/webhook-events/:eventId`, log.events.read, options),
  viewer.get(`${owner}/webhooks/:webhookId/deliveries`, log.deliveries.list, options),
  admin.post(
    `${owner}/webhooks/:webhookId/deliveries/:deliveryId/redeliver`,
    log.deliveries.redeliver,
    options,
  ),
  viewer.get(`${owner}/webhooks/:webhookId/events`, log.events.listOf, options),
  admin.post(`${owner}/webhooks/:webhookId/events/:eventId/resend`, log.events.resend, options),
  admin.post(`${owner}/webhooks/:webhookId/redeliveries`, log.redeliveries.start, {
    ...options,
    status: 201,
  }),
  viewer.get(`${owner}/webhooks/:webhookId/redeliveries`, log.redeliveries.list, options),
  viewer.get(`${owner}/webhooks/:webhookId/redeliveries/:redeliveryId`, log.redeliveries.read, options),
  admin.del(`${owner}/webhooks/:webhookId/redeliveries/:redeliveryId`, log.redeliveries.cancel, options),
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
