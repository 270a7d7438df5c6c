import { Currency, OnrampStatus } from '@causeway/contracts'
import { type Response, Router } from 'express'
import { z } from 'zod'
import { read, SandboxError } from '../http/answers.ts'
import { closed } from '../http/closed.ts'
import type { OnrampOrderRow, OnrampOrders } from './orders.ts'

/** How long a control call waits for the platform to open an order that was just created. */
const ORDER_WAIT_MS = 3_000

const Amount = z
  .string()
  .max(60)
  .regex(/^\d+(\.\d+)?$/)
const OrderBody = z.strictObject({
  fiat: Currency,
  fiat_amount: Amount.nullable(),
  crypto: z.string().max(10),
  crypto_amount: Amount,
  blockchain: z.string().max(10),
  address: z.string().min(1).max(200),
  return_url: z.url().nullable(),
  notice_url: z.url(),
})
const Key = z.object({ 'idempotency-key': z.string().min(1).max(255) })
const StatusBody = z.strictObject({
  status: OnrampStatus,
  transaction_hash: z.string().min(1).max(200).optional(),
})

/** The order as the provider shows it. Its notices say `complete`, its reads `completed`, as real ones do. */
export const presentOnrampOrder = (order: OnrampOrderRow, pageBaseUrl: string, success: OnrampStatus) => ({
  order_id: order.orderId,
  external_id: order.externalId,
  status: order.status === 'complete' || order.status === 'completed' ? success : order.status,
  changed_at: new Date(order.changedAtMs).toISOString(),
  order_type: 'CRYPTO-BUY',
  fiat_amount: order.fiatAmount,
  crypto_amount: order.cryptoAmount,
  transaction_hash: order.transactionHash,
  checkout_url: `${pageBaseUrl}/buy/${order.orderId}`,
  order_status_url: `${pageBaseUrl}/buy/${order.orderId}/status`,
})

const found = (order: OnrampOrderRow | null): OnrampOrderRow => {
  if (order) return order
  throw new SandboxError(404, 'resource_not_found', 'The onramp provider has no such order.')
}

/** The API of the onramp provider, as the platform's adapter uses it, below `/onramp`. */
export const onrampRoutes = (orders: OnrampOrders, pageBaseUrl: () => string): Router => {
  const routes = Router()
  routes.post('/orders', (request, response) => {
    const { 'idempotency-key': externalId } = read(Key, request.headers)
    const body = read(OrderBody, request.body)
    const order = orders.create({
      externalId,
      request: JSON.stringify(body),
      noticeUrl: body.notice_url,
      fiatAmount: body.fiat_amount,
      cryptoAmount: body.crypto_amount,
    })
    response.status(201).json(presentOnrampOrder(order, pageBaseUrl(), 'completed'))
  })
  routes.get('/orders/:orderId', (request, response) => {
    const order = found(orders.byId(request.params.orderId))
    response.json(presentOnrampOrder(order, pageBaseUrl(), 'completed'))
  })
  return routes
}

/** Where the payer would buy: it shows how the order stands, and nothing can be paid there. */
export const onrampPage = (orders: OnrampOrders): Router => {
  const routes = Router()
  routes.get(['/:orderId', '/:orderId/status'], (request, response) => {
    const order = found(orders.byId(String(request.params['orderId'])))
    response
      .type('text/plain')
      .set('cache-control', 'no-store')
      .send(`Sandbox onramp: order ${order.orderId} is ${order.status}.\n`)
  })
  return routes
}

const awaitOrder = async (orders: OnrampOrders, id: string, response: Response): Promise<OnrampOrderRow> => {
  const gone = closed(response)
  const until = performance.now() + ORDER_WAIT_MS
  for (;;) {
    const order = orders.byExternalId(id)
    if (order) return order
    const leftMs = until - performance.now()
    if (leftMs <= 0 || gone.aborted) return found(null)
    await orders.added.next(leftMs, gone)
  }
}

/** `POST /control/onramp/{onrampOrderId}` (decisions §15). The provider may say anything, at any time. */
export const onrampControls = (orders: OnrampOrders): Router => {
  const routes = Router()
  routes.post('/onramp/:onrampOrderId', async (request, response) => {
    const { status, transaction_hash: hash = null } = read(StatusBody, request.body)
    const order = await awaitOrder(orders, request.params.onrampOrderId, response)
    const changed = orders.setStatus(order, status, hash)
    response.json({
      onramp_order_id: changed.externalId,
      provider_order_id: changed.orderId,
      status: changed.status,
      transaction_hash: changed.transactionHash,
    })
  })
  return routes
}
