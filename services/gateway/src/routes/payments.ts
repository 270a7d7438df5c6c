import { chargebackCases, chargebacks, fiatOrders, integrations, cryptoOrders } from '@causeway/contracts'
import { routesUnder } from '../http/route.ts'

const { get, post, del } = routesUnder('/api/v1/partner')

/** Crypto orders and checkout configurations (spec: Endpoints; decisions §9 and §10). */
export const paymentRoutes = [
  post('/customers/:customerId/orders', cryptoOrders.create, { scopes: ['orders:create'], status: 201 }),
  get('/customers/:customerId/orders', cryptoOrders.list, { scopes: ['orders:read'] }),
  get('/orders/:orderId', cryptoOrders.get, { scopes: ['orders:read'] }),
  post('/orders/:orderId/cancel', cryptoOrders.cancel, { scopes: ['orders:create'] }),

  post('/customers/:customerId/fiat-integrations', integrations.create, {
    scopes: ['payments:create'],
    status: 201,
  }),
  get('/customers/:customerId/fiat-integrations', integrations.list, { scopes: ['payments:read'] }),
  del('/customers/:customerId/fiat-integrations/:integrationId', integrations.delete, {
    scopes: ['payments:create'],
  }),

  post('/customers/:customerId/fiat-orders', fiatOrders.create, { scopes: ['payments:create'], status: 201 }),
  get('/customers/:customerId/fiat-orders', fiatOrders.list, { scopes: ['payments:read'] }),
  get('/fiat-orders/:orderKey', fiatOrders.get, { scopes: ['payments:read'] }),

  get('/customers/:customerId/chargebacks', chargebacks.list, { scopes: ['payments:read'] }),
  get('/fiat-orders/:orderKey/chargebacks', chargebacks.listByOrder, { scopes: ['payments:read'] }),
  get('/customers/:customerId/chargeback-cases', chargebackCases.list, { scopes: ['payments:read'] }),
  post('/customers/:customerId/chargeback-cases/:caseId/lift', chargebackCases.lift, {
    scopes: ['payments:create'],
  }),
]
