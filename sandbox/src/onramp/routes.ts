import { OnrampStatus } from '@causeway/contracts'
import { type Response, Router } from 'express'
import { z } from 'zod'
import { parseRequest, SandboxError } from '../http/answers.ts'
import { abortOnClose } from '../http/abort-on-close.ts'
import type { OnrampOrderRow, OnrampOrders } from './orders.ts'
import { OnrampRequest } from './request.ts'

const Key = z.object({ 'idempotency-key': z.string().min(1).max(255) })
const StatusBody = z.strictObject({
  status: OnrampStatus,
  transaction_hash: z.string().min(1).max(200).optional(),
})

/** The order as the provider presents it. As with real providers, notices say `complete` and reads `completed`. */
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
  throw new SandboxError(404, 'resource_not_found', 'The onramp provider does not have this order.')
}

/** The API of the onramp provider, as the platform's adapter uses it, below `/onramp`. */
export const onrampRoutes = (orders: OnrampOrders, pageBaseUrl: () => string): Router => {
  const routes = Router()
  routes.post('/orders', (request, response) => {
    const { 'idempotency-key': externalId } = parseRequest(Key, request.headers)
    const body = parseRequest(OnrampRequest, request.body)
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

const awaitOrder = async (
  { orders, waitMs }: Readonly<{ orders: OnrampOrders; waitMs: number }>,
  id: string,
  response: Response,
): Promise<OnrampOrderRow> => {
  const closed = abortOnClose(response)
  const until = performance.now() + waitMs
  for (;;) {
    const order = orders.byExternalId(id)
    if (order) return order
    const leftMs = until - performance.now()
    if (leftMs <= 0 || closed.aborted) return found(null)
    await orders.added.next(leftMs, closed)
  }
}

/**
 * `POST /control/onramp/{onrampOrderId}` (decisions §15). Any status may be set at any time, as a faulty provider would.
 * @param waitMs how long a call waits for the platform to open its order
 */
export const onrampControls = (orders: OnrampOrders, waitMs: number): Router => {
  const routes = Router()
  routes.post('/onramp/:onrampOrderId', async (request, response) => {
    const { status, transaction_hash: hash = null } = parseRequest(StatusBody, request.body)
    const order = await awaitOrder({ orders, waitMs }, request.params.onrampOrderId, response)
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
