import {
  ownApiKeys,
  registrationDeliveries,
  registrationEvents,
  registrationRedeliveries,
  registrations,
  subscriptions,
} from '@causeway/contracts'
import { routesUnder } from '../http/route.ts'

const partner = routesUnder('/api/v1/partner')
const { get, post, put, del } = routesUnder('/api/user')

/** What partners read of their destinations, and how merchants keep theirs (spec: Endpoints; decisions §12). */
export const webhookRoutes = [
  partner.get('/webhooks', subscriptions.list, { scopes: ['partner:read'] }),

  get('/api-keys', ownApiKeys.list),
  del('/api-keys/:keyId', ownApiKeys.revoke),

  get('/webhooks', registrations.list),
  post('/webhooks', registrations.create, { status: 201 }),
  put('/webhooks/:webhookId', registrations.update),
  del('/webhooks/:webhookId', registrations.remove),
  post('/webhooks/:webhookId/secret', registrations.rotateSecret),
  post('/webhooks/:webhookId/test', registrations.test),
  get('/webhooks/:webhookId/deliveries', registrationDeliveries.list),
  post('/webhooks/:webhookId/deliveries/:deliveryId/redeliver', registrationDeliveries.redeliver),
  get('/webhook-events', registrationEvents.list),
  get('/webhook-events/:eventId', registrationEvents.read),
  get('/webhooks/:webhookId/events', registrationEvents.listOf),
  post('/webhooks/:webhookId/events/:eventId/resend', registrationEvents.resend),
  post('/webhooks/:webhookId/redeliveries', registrationRedeliveries.start, { status: 201 }),
  get('/webhooks/:webhookId/redeliveries', registrationRedeliveries.list),
  get('/webhooks/:webhookId/redeliveries/:redeliveryId', registrationRedeliveries.read),
  del('/webhooks/:webhookId/redeliveries/:redeliveryId', registrationRedeliveries.cancel),
]
