import { registrationDeliveries, registrations, subscriptions } from '@causeway/contracts'
import { routesUnder } from '../http/route.ts'

const partner = routesUnder('/api/v1/partner')
const { get, post, put, del } = routesUnder('/api/user')

/** What partners read of their destinations, and how merchants keep theirs (spec: Endpoints; decisions §12). */
export const webhookRoutes = [
  partner.get('/webhooks', subscriptions.list, { scopes: ['partner:read'] }),

  get('/webhooks', registrations.list),
  post('/webhooks', registrations.create, { status: 201 }),
  put('/webhooks/:webhookId', registrations.update),
  del('/webhooks/:webhookId', registrations.remove),
  post('/webhooks/:webhookId/secret', registrations.rotateSecret),
  post('/webhooks/:webhookId/test', registrations.test),
  get('/webhooks/:webhookId/deliveries', registrationDeliveries.list),
  post('/webhooks/:webhookId/deliveries/:deliveryId/redeliver', registrationDeliveries.redeliver),
  post('/webhooks/:webhookId/redeliver', registrationDeliveries.redeliverSince),
]
