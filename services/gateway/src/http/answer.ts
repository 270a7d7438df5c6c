import { API_VERSION, ERRORS, type ErrorCode, type ErrorDetail } from '@causeway/contracts'
import { errorPage } from '@causeway/screens'
import { compressed, isCompressible } from './compressed.ts'
import type { Exchange } from './exchange.ts'
import { languageHeaders, pageLanguage } from './page-language.ts'
import { API_SECURITY, SCREEN_SECURITY, type FlatHeaders } from './security-headers.ts'

/** Head and body of an answer. */
export type Content = Readonly<{
  status: number
  type: string
  bytes: Buffer | string
  /** Encoding of a string; UTF-8 if left out. */
  encoding?: 'latin1'
  headers?: FlatHeaders
  security?: FlatHeaders
  /** The id of the first request, in a replay; if left out, the exchange's own. */
  requestId?: string
  /** Set if the sender ends the response later. */
  leaveOpen?: true
}>

const JSON_TYPE = 'application/json; charset=utf-8'
const NO_STORE: FlatHeaders = ['Cache-Control', 'no-store']
/** Added to every answer while the server shuts down. */
export const CLOSE: FlatHeaders = ['Connection', 'close']
const REPLAYED: FlatHeaders = [...NO_STORE, 'Idempotent-Replayed', 'true']

/** Writes head and body in one call. */
export const send = (exchange: Exchange, content: Content): void => {
  const { response } = exchange
  const { bytes, encoding } = content
  exchange.answered(exchange, content.status)
  const headers = [
    ...(content.security ?? API_SECURITY),
    'X-Request-Id',
    content.requestId ?? exchange.requestId,
    ...exchange.rateLimitHeaders(),
    'Content-Type',
    content.type,
    'Content-Length',
    encoding === 'latin1' ? bytes.length : Buffer.byteLength(bytes),
    ...(content.headers ?? NO_STORE),
    ...(exchange.closing() ? CLOSE : []),
  ]
  response.writeHead(content.status, headers)
  if (content.leaveOpen) response.write(bytes)
  else response.end(bytes, encoding ?? 'utf8')
}

/**
 * Sends data that is JSON already in the success envelope: its bytes are copied, not parsed (spec: Conventions). They
 * are written as a Latin-1 string, one character per byte, because node:http joins a string with the head into one
 * write, but writes a buffer separately (measured: an eighth of this process's CPU time).
 */
export const sendData = (
  exchange: Exchange,
  status: number,
  data: Uint8Array,
  replayedRequestId?: string,
): void => {
  const requestId = replayedRequestId ?? exchange.requestId
  const json = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1')
  const bytes = `{"request_id":"${requestId}","api_version":"${API_VERSION}","data":${json}}`
  const headers = replayedRequestId === undefined ? NO_STORE : REPLAYED
  const content: Content = { status, type: JSON_TYPE, bytes, encoding: 'latin1', requestId, headers }
  send(exchange, isCompressible(bytes.length) ? inTakenEncoding(exchange, content, bytes) : content)
}

/** A large answer in gzip, for a caller that takes it. */
const inTakenEncoding = (exchange: Exchange, content: Content, latin1: string): Content => {
  const bytes = compressed(exchange.request, latin1)
  const headers: FlatHeaders = [...(content.headers ?? []), 'Vary', 'Accept-Encoding']
  return bytes === null
    ? { ...content, headers }
    : { ...content, bytes, headers: [...headers, 'Content-Encoding', 'gzip'] }
}

/** Answers 204: without a body there is no Content-Type and no Content-Length (RFC 9110 §8.6, §15.3.5). */
export const sendNoContent = (exchange: Exchange): void => {
  const { response } = exchange
  exchange.answered(exchange, 204)
  response.writeHead(204, [
    ...API_SECURITY,
    'X-Request-Id',
    exchange.requestId,
    ...exchange.rateLimitHeaders(),
    ...NO_STORE,
    ...(exchange.closing() ? CLOSE : []),
  ])
  response.end()
}

/** Sends JSON without the envelope: tokens, keys, health, the OpenAPI document. */
export const sendJson = (exchange: Exchange, status: number, json: string, headers?: FlatHeaders): void =>
  send(exchange, { status, type: JSON_TYPE, bytes: json, ...(headers === undefined ? {} : { headers }) })

/** The error envelope in JSON (spec: Errors). */
export const errorJson = (
  code: ErrorCode,
  requestId: string,
  details?: readonly ErrorDetail[],
  message: string = ERRORS[code].message,
): string => JSON.stringify({ error: { code, message, request_id: requestId, details } })

/** Most temporary failures, such as the restart of a service, end within about a second. */
const RETRY_AFTER: FlatHeaders = ['Retry-After', 1]

/** Headers of every error of a code. */
const headersOf = (code: ErrorCode): FlatHeaders =>
  code === 'temporarily_unavailable' ? [...NO_STORE, ...RETRY_AFTER] : NO_STORE

/** Headers of an error: those of its code, unless given ones take their place. */
export const errorHeaders = (code: ErrorCode, given: FlatHeaders): FlatHeaders => [
  ...(given.includes('Retry-After') ? NO_STORE : headersOf(code)),
  ...given,
]

/** An error as people read it. */
const sendErrorPage = (exchange: Exchange, code: ErrorCode, headers: FlatHeaders): void =>
  send(exchange, {
    status: ERRORS[code].status,
    type: 'text/html; charset=utf-8',
    bytes: errorPage(code, exchange, pageLanguage(exchange)).toString(),
    headers: [...errorHeaders(code, headers), ...languageHeaders(exchange)],
    security: SCREEN_SECURITY,
  })

/**
 * Answers with an error of the table: the envelope, or a page where a person reads it.
 * @param message a text that says more than that of the table
 */
export const sendError = (
  exchange: Exchange,
  code: ErrorCode,
  details?: readonly ErrorDetail[],
  headers: FlatHeaders = [],
  message?: string,
): void => {
  if (exchange.showsPages) sendErrorPage(exchange, code, headers)
  else
    sendJson(
      exchange,
      ERRORS[code].status,
      errorJson(code, exchange.requestId, details, message),
      errorHeaders(code, headers),
    )
}

/** Answers with a refusal. @param message the route's own text for the code, if it has one */
export const sendRefusal = (
  exchange: Exchange,
  refusal: Readonly<{ code: ErrorCode; details?: readonly ErrorDetail[]; replayedRequestId?: string }>,
  message?: string,
): void => {
  const { code, details, replayedRequestId } = refusal
  const requestId = replayedRequestId ?? exchange.requestId
  send(exchange, {
    status: ERRORS[code].status,
    type: JSON_TYPE,
    bytes: errorJson(code, requestId, details, message),
    requestId,
    headers: replayedRequestId === undefined ? headersOf(code) : REPLAYED,
  })
}

/** Status under which metrics count requests whose caller hung up; nobody receives it. */
const CLIENT_CLOSED_REQUEST = 499

/** Ends an exchange whose caller hung up: nobody would receive an answer. */
export const abandon = (exchange: Exchange): void => {
  exchange.answered(exchange, CLIENT_CLOSED_REQUEST)
  exchange.response.destroy()
}
