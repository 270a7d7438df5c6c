import type { IncomingMessage } from 'node:http'
import { relay, type Bus, type Clock } from '@causeway/chassis'
import { cardNotices, onrampNotices, type ErrorCode, type Operation } from '@causeway/contracts'
import { callbackPaths } from '@causeway/contracts/http'
import { PUBLIC_CALLER_JSON } from '../auth/identity.ts'
import type { SecurityLog } from '../auth/security-log.ts'
import type { NoticeSenders } from '../rate-limits/notice-senders.ts'
import { readBody } from '../http/body.ts'
import { sendEarly, sendTooLarge } from '../http/early-answer.ts'
import { abandon, sendData, sendError } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { paramsJsonOf } from '../http/input.ts'
import { handlePaths } from '../http/public-path.ts'

export type CallbackRoutesOptions = Readonly<{
  bus: Bus
  clock: Clock
  timeoutMs: number
  senders: NoticeSenders
  security: SecurityLog
}>

/** Refusals of notices that are not verified: unsigned, forged, stale, or of an unknown sender. */
const UNVERIFIED: ReadonlySet<ErrorCode> = new Set(['unauthorized', 'invalid_request', 'resource_not_found'])

const headersOf = (request: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(request.headers).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )

/**
 * Forwards a notice unchanged to the service, which verifies it: the signature is over the exact bytes.
 * @param sender the path parameter that names the sender
 */
const forwardNotice = async (
  options: CallbackRoutesOptions,
  exchange: Exchange,
  operation: Operation,
  sender: 'processor' | 'provider',
  values: readonly string[],
): Promise<void> => {
  const { request, response } = exchange
  const { senders } = options
  const retryAfter = senders.retryAfter(exchange)
  if (retryAfter !== null) {
    options.security.callbackRefused(exchange, sender)
    sendEarly(exchange, 'rate_limited', undefined, ['Retry-After', retryAfter])
    return
  }
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
    // Safe to repeat: the service handles a notice that arrives twice once.
    safe: true,
    paramsJson,
    bodyJson: JSON.stringify({
      headers: headersOf(request),
      raw_body_base64: (body.bytes ?? Buffer.alloc(0)).toString('base64'),
    }),
  })
  if (answer.ok) {
    senders.recordVerified(exchange)
    sendData(exchange, 200, answer.data)
    return
  }
  const overLimit = UNVERIFIED.has(answer.code) ? senders.recordFailure(exchange) : null
  if (overLimit === null) sendError(exchange, answer.code, answer.details)
  else sendError(exchange, 'rate_limited', undefined, ['Retry-After', overLimit])
}

export const callbackRoutes = (options: CallbackRoutesOptions) =>
  handlePaths(callbackPaths, {
    cardNotice: (exchange, values) =>
      forwardNotice(options, exchange, cardNotices.receive, 'processor', values),
    cardAuthorization: (exchange, values) =>
      forwardNotice(options, exchange, cardNotices.authorize, 'processor', values),
    onrampNotice: (exchange, values) =>
      forwardNotice(options, exchange, onrampNotices.receive, 'provider', values),
  })
