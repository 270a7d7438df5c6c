import { onrampOrders } from '@causeway/contracts'
import { routesUnder } from '../http/route.ts'

const { get, post } = routesUnder('/api/v1/partner')

/** Purchases of the crypto that an order asks for (decisions §13). */
export const onrampRoutes = [
  post('/orders/:orderId/onramp', onrampOrders.create, {
    scopes: ['orders:create'],
    status: { created: 201, existing: 200 },
  }),
  get('/orders/:orderId/onramp', onrampOrders.get, { scopes: ['orders:read'] }),
]
