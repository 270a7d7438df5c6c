import { relay, type Bus, type Clock } from '@causeway/chassis'
import { cryptoOrders } from '@causeway/contracts'
import { PUBLIC_CALLER_JSON } from '../auth/identity.ts'
import { send, sendError, sendJson, type Exchange } from '../http/exchange.ts'
import { paramsJsonOf } from '../http/input.ts'
import type { GetReadiness } from '../http/readiness.ts'
import type { PublicRoute } from '../http/route.ts'
import { IMAGE_SECURITY, type FlatHeaders } from '../http/security-headers.ts'

export type PublicRoutesOptions = Readonly<{
  bus: Bus
  clock: Clock
  timeoutMs: number
  readiness: GetReadiness
  /** The OpenAPI document in JSON. */
  openApiJson: string
  /** The reference page in HTML, and the headers that allow its style. */
  page: Readonly<{ html: string; security: FlatHeaders }>
}>

const IMAGE_SUFFIX = '.png'
/** An order's QR image never changes. */
const IMAGE_CACHE: FlatHeaders = ['Cache-Control', 'public, max-age=86400, immutable']
const DOCUMENT_CACHE: FlatHeaders = ['Cache-Control', 'public, max-age=300']

const sendQrImage = async (options: PublicRoutesOptions, exchange: Exchange, file: string): Promise<void> => {
  const paramsJson = paramsJsonOf(['orderId'], [file.slice(0, -IMAGE_SUFFIX.length)])
  if (!file.endsWith(IMAGE_SUFFIX) || typeof paramsJson !== 'string') {
    sendError(exchange, 'resource_not_found')
    return
  }
  const answer = await relay(options.bus, options.clock, cryptoOrders.getQrImage.subject, {
    requestId: exchange.requestId,
    callerJson: PUBLIC_CALLER_JSON,
    timeoutMs: options.timeoutMs,
    safe: true,
    paramsJson,
  })
  if (!answer.ok) {
    sendError(exchange, answer.code, answer.details)
    return
  }
  const image = cryptoOrders.getQrImage.reply.parse(JSON.parse(Buffer.from(answer.data).toString('utf8')))
  send(exchange, {
    status: 200,
    type: image.content_type,
    bytes: Buffer.from(image.content_base64, 'base64'),
    headers: IMAGE_CACHE,
    security: IMAGE_SECURITY,
  })
}

const sendReadiness = async (ask: GetReadiness, exchange: Exchange): Promise<void> => {
  const { ready, parts } = await ask()
  sendJson(exchange, ready ? 200 : 503, JSON.stringify({ status: ready ? 'ready' : 'not_ready', parts }))
}

/** What needs no credential: images, health, the API's description (decisions §1 and §9). */
export const publicRoutes = (options: PublicRoutesOptions): readonly PublicRoute[] => [
  {
    kind: 'public',
    method: 'GET',
    path: '/qr/:file',
    handle: (exchange, [file = '']) => sendQrImage(options, exchange, file),
  },
  {
    kind: 'public',
    method: 'GET',
    path: '/healthz',
    unlimited: true,
    handle: (exchange) => sendJson(exchange, 200, '{"status":"ok"}'),
  },
  {
    kind: 'public',
    method: 'GET',
    path: '/readyz',
    unlimited: true,
    handle: (exchange) => sendReadiness(options.readiness, exchange),
  },
  {
    kind: 'public',
    method: 'GET',
    path: '/openapi.json',
    handle: (exchange) => sendJson(exchange, 200, options.openApiJson, DOCUMENT_CACHE),
  },
  {
    kind: 'public',
    method: 'GET',
    path: '/docs',
    handle: (exchange) =>
      send(exchange, {
        status: 200,
        type: 'text/html; charset=utf-8',
        bytes: options.page.html,
        headers: DOCUMENT_CACHE,
        security: options.page.security,
      }),
  },
]
