import { refunds } from '@causeway/contracts'
import { routesUnder } from '../http/route.ts'

const { get, post } = routesUnder('/api/v1/partner')

/** Refunds of card orders (spec: Refund a fiat order; decisions §10 and §11). */
export const refundRoutes = [
  post('/fiat-orders/:orderKey/refunds', refunds.create, {
    scopes: ['refunds:write'],
    status: 201,
    messages: { resource_not_found: 'no partner-visible order for the key' },
  }),
  get('/fiat-orders/:orderKey/refunds', refunds.list, { scopes: ['payments:read'] }),
]
