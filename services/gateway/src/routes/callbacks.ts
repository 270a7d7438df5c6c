import type { IncomingMessage } from 'node:http'
import { relay, type Bus, type Clock } from '@causeway/chassis'
import { cardNotices, onrampNotices, type Operation } from '@causeway/contracts'
import { PUBLIC_CALLER_JSON } from '../auth/identity.ts'
import { readBody } from '../http/body.ts'
import { sendTooLarge } from '../http/early-answer.ts'
import { abandon, sendData, sendError, type Exchange } from '../http/exchange.ts'
import { paramsJsonOf } from '../http/input.ts'
import type { PublicRoute } from '../http/route.ts'

export type CallbackRoutesOptions = Readonly<{ bus: Bus; clock: Clock; timeoutMs: number }>

const headersOf = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(request.headers).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )

/**
 * Hands a processor's or provider's post on as it came: its signature is over its very bytes, and the service judges it.
 * @param sender the path parameter that names who posts
 */
const handOn = async (
  options: CallbackRoutesOptions,
  exchange: Exchange,
  operation: Operation,
  sender: 'processor' | 'provider',
  values: readonly string[],
): Promise<void> => {
  const { request, response } = exchange
  const paramsJson = paramsJsonOf([sender], values)
  if (typeof paramsJson !== 'string') {
    sendError(exchange, 'resource_not_found')
    return
  }
  const body = await readBody(request, response)
  if (!body.ok) {
    if (body.why === 'too_large') sendTooLarge(exchange)
    else abandon(exchange)
    return
  }
  const answer = await relay(options.bus, options.clock, operation.subject, {
    requestId: exchange.requestId,
    callerJson: PUBLIC_CALLER_JSON,
    timeoutMs: options.timeoutMs,
    // A notice that comes again changes nothing twice: its sender may always repeat it.
    safe: true,
    paramsJson,
    bodyJson: JSON.stringify({
      headers: headersOf(request),
      raw_body_base64: (body.bytes ?? Buffer.alloc(0)).toString('base64'),
    }),
  })
  if (answer.ok) sendData(exchange, 200, answer.data)
  else sendError(exchange, answer.code, answer.details)
}

/** Where card processors and onramp providers post (decisions §10 and §13). Signed, and so never refused for their number. */
export const callbackRoutes = (options: CallbackRoutesOptions): readonly PublicRoute[] => [
  {
    kind: 'public',
    method: 'POST',
    path: '/api/callbacks/cards/:processor',
    unlimited: true,
    handle: (exchange, values) => handOn(options, exchange, cardNotices.receive, 'processor', values),
  },
  {
    kind: 'public',
    method: 'POST',
    path: '/api/callbacks/cards/:processor/authorizations',
    unlimited: true,
    handle: (exchange, values) => handOn(options, exchange, cardNotices.authorize, 'processor', values),
  },
  {
    kind: 'public',
    method: 'POST',
    path: '/api/callbacks/onramp/:provider',
    unlimited: true,
    handle: (exchange, values) => handOn(options, exchange, onrampNotices.receive, 'provider', values),
  },
]
