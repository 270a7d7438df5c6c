import {
  deliveries,
  events,
  ownApiKeys,
  portalLinks,
  redeliveries,
  registrations,
  subscriptions,
} from '@causeway/contracts'
import { routesUnder } from '../http/route.ts'

const partner = routesUnder('/api/v1/partner')
const { get, post, put, del } = routesUnder('/api/user')

/** Partners' list of their destinations; merchants' API keys, registrations and logs (spec: Endpoints; decisions §12). */
export const webhookRoutes = [
  partner.get('/webhooks', subscriptions.list, { scopes: ['partner:read'] }),

  get('/api-keys', ownApiKeys.list),
  del('/api-keys/:keyId', ownApiKeys.revoke),
  post('/portal-links', portalLinks.createOwn, { status: 201 }),

  get('/webhooks', registrations.list),
  post('/webhooks', registrations.create, { status: 201 }),
  put('/webhooks/:webhookId', registrations.update),
  del('/webhooks/:webhookId', registrations.delete),
  post('/webhooks/:webhookId/secret', registrations.rotateSecret),
  post('/webhooks/:webhookId/test', registrations.test),
  get('/webhooks/:webhookId/deliveries', deliveries.listOwn),
  post('/webhooks/:webhookId/deliveries/:deliveryId/redeliver', deliveries.redeliverOwn),
  get('/webhook-events', events.listOwn),
  get('/webhook-events/:eventId', events.getOwn),
  get('/webhooks/:webhookId/events', events.listOfOwnDestination),
  post('/webhooks/:webhookId/events/:eventId/resend', events.resendOwn),
  post('/webhooks/:webhookId/redeliveries', redeliveries.createOwn, { status: 201 }),
  get('/webhooks/:webhookId/redeliveries', redeliveries.listOwn),
  get('/webhooks/:webhookId/redeliveries/:redeliveryId', redeliveries.getOwn),
  del('/webhooks/:webhookId/redeliveries/:redeliveryId', redeliveries.cancelOwn),
]
