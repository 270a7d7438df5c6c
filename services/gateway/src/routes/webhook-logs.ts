import { deliveries, events, redeliveries } from '@causeway/contracts'
import { staffRoutes } from '../http/route.ts'

const viewer = staffRoutes('viewer')
const admin = staffRoutes('admin')
const partner = '/partners/:partnerId'
const merchant = '/merchants/:customerId'
/** A partner's people see and resend what went to its destinations, in the portal. */
const ofPartner = { ofPartner: true, portal: true } as const
const ofMerchant = { ofMerchant: true } as const

/** Logs of partners' destinations and of merchants' webhooks, and redeliveries (decisions §14). */
export const webhookLogRoutes = [
  viewer.get(`${partner}/webhook-events`, events.list, ofPartner),
  viewer.get(`${partner}/webhook-events/:eventId`, events.get, ofPartner),
  viewer.get(`${partner}/webhooks/:webhookId/deliveries`, deliveries.list, ofPartner),
  admin.post(
    `${partner}/webhooks/:webhookId/deliveries/:deliveryId/redeliver`,
    deliveries.redeliver,
    ofPartner,
  ),
  viewer.get(`${partner}/webhooks/:webhookId/events`, events.listOfDestination, ofPartner),
  admin.post(`${partner}/webhooks/:webhookId/events/:eventId/resend`, events.resend, ofPartner),
  admin.post(`${partner}/webhooks/:webhookId/redeliveries`, redeliveries.create, {
    ...ofPartner,
    status: 201,
  }),
  viewer.get(`${partner}/webhooks/:webhookId/redeliveries`, redeliveries.list, ofPartner),
  viewer.get(`${partner}/webhooks/:webhookId/redeliveries/:redeliveryId`, redeliveries.get, ofPartner),
  admin.del(`${partner}/webhooks/:webhookId/redeliveries/:redeliveryId`, redeliveries.cancel, ofPartner),
  viewer.get(`${merchant}/webhook-events`, events.listOfMerchant, ofMerchant),
  viewer.get(`${merchant}/webhook-events/:eventId`, events.getOfMerchant, ofMerchant),
  viewer.get(`${merchant}/webhooks/:webhookId/deliveries`, deliveries.listOfMerchant, ofMerchant),
  admin.post(
    `${merchant}/webhooks/:webhookId/deliveries/:deliveryId/redeliver`,
    deliveries.redeliverOfMerchant,
    ofMerchant,
  ),
  viewer.get(`${merchant}/webhooks/:webhookId/events`, events.listOfMerchantDestination, ofMerchant),
  admin.post(`${merchant}/webhooks/:webhookId/events/:eventId/resend`, events.resendOfMerchant, ofMerchant),
  admin.post(`${merchant}/webhooks/:webhookId/redeliveries`, redeliveries.createOfMerchant, {
    ...ofMerchant,
    status: 201,
  }),
  viewer.get(`${merchant}/webhooks/:webhookId/redeliveries`, redeliveries.listOfMerchant, ofMerchant),
  viewer.get(
    `${merchant}/webhooks/:webhookId/redeliveries/:redeliveryId`,
    redeliveries.getOfMerchant,
    ofMerchant,
  ),
  admin.del(
    `${merchant}/webhooks/:webhookId/redeliveries/:redeliveryId`,
    redeliveries.cancelOfMerchant,
    ofMerchant,
  ),
]
