import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { API_VERSION, ERRORS, type ErrorCode, type ErrorDetail } from '@causeway/contracts'
import { remainingOf, resetSecondsOf, type Bucket } from '../rate-limits/token-bucket.ts'
import { API_SECURITY, type FlatHeaders } from './security-headers.ts'
import type { SecurityLog } from './security-log.ts'

/** One request and its answer, from the first check to the last byte. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Minted here, never taken from the caller (decisions §1). */
  readonly requestId: string
  /** Path without the query, undecoded. */
  readonly path: string
  /** Query without its question mark, undecoded. */
  readonly search: string
  /** Path of the route in the table, for metrics and logs; callers' ids never get there. */
  routePath: string
  /** Whom the log names once it is known: a client, a merchant, or a staff key; never a credential. */
  client: string | null
  /** The client's allowance once the client is known. */
  clientBucket: Bucket | null
  /** The allowance of the caller's address, which counts until then. */
  readonly addressBucket: (request: IncomingMessage) => Bucket
  readonly startedMs: number
  readonly security: SecurityLog
  /** Tells metrics and the log; called exactly once, when the head is written or the caller is gone. */
  readonly answered: (exchange: Exchange, status: number) => void
  /** Whether the server is going away and asks clients to open another connection. */
  readonly closing: () => boolean
}

type Content = Readonly<{
  status: number
  type: string
  bytes: Buffer | string
  /** How a string becomes bytes; UTF-8 unless told. */
  encoding?: 'latin1'
  headers?: FlatHeaders
  security?: FlatHeaders
  /** Differs from the exchange's own only in a replay. */
  requestId?: string
  /** Whether whoever sends will end the response later. */
  leaveOpen?: true
}>

const JSON_TYPE = 'application/json; charset=utf-8'
const NO_STORE: FlatHeaders = ['Cache-Control', 'no-store']
/** How long a caller may take nothing of what is sent to it. */
const STALLED_MS = 30_000
const CLOSE: FlatHeaders = ['Connection', 'close']
const REPLAYED: FlatHeaders = [...NO_STORE, 'Idempotent-Replayed', 'true']

/** The allowance whose state every answer tells. */
export const bucketOf = (exchange: Exchange): Bucket =>
  exchange.clientBucket ?? exchange.addressBucket(exchange.request)

/** The state of an allowance (decisions §1, Rate limits). */
export const allowanceHeaders = (bucket: Bucket): FlatHeaders => [
  'RateLimit-Limit',
  bucket.settings.burst,
  'RateLimit-Remaining',
  remainingOf(bucket),
  'RateLimit-Reset',
  resetSecondsOf(bucket),
]

/** Writes head and body in one go. */
export const send = (exchange: Exchange, content: Content): void => {
  const { response } = exchange
  const { bytes, encoding } = content
  exchange.answered(exchange, content.status)
  const headers = [
    ...(content.security ?? API_SECURITY),
    'X-Request-Id',
    content.requestId ?? exchange.requestId,
    ...allowanceHeaders(bucketOf(exchange)),
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
 * Puts the success envelope around data that is JSON already: its bytes are copied, not parsed (spec: Conventions).
 * They go out as a Latin-1 string, one character a byte, because node:http joins a string with the head into one
 * write but sends a buffer beside it (an eighth of this process's work, measured).
 */
export const sendData = (
  exchange: Exchange,
  status: number,
  data: Uint8Array,
  replayedRequestId?: string,
): void => {
  const requestId = replayedRequestId ?? exchange.requestId
  const json = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1')
  const content: Content = {
    status,
    type: JSON_TYPE,
    bytes: `{"request_id":"${requestId}","api_version":"${API_VERSION}","data":${json}}`,
    encoding: 'latin1',
  }
  send(exchange, replayedRequestId === undefined ? content : { ...content, requestId, headers: REPLAYED })
}

/** Answers 204: no body, and so neither its type nor its length (RFC 9110 §8.6, §15.3.5). */
export const sendNoContent = (exchange: Exchange): void => {
  const { response } = exchange
  exchange.answered(exchange, 204)
  response.writeHead(204, [
    ...API_SECURITY,
    'X-Request-Id',
    exchange.requestId,
    ...allowanceHeaders(bucketOf(exchange)),
    ...NO_STORE,
    ...(exchange.closing() ? CLOSE : []),
  ])
  response.end()
}

/** JSON outside the envelope: tokens, keys, health, the OpenAPI document. */
export const sendJson = (exchange: Exchange, status: number, json: string, headers?: FlatHeaders): void =>
  send(exchange, { status, type: JSON_TYPE, bytes: json, ...(headers === undefined ? {} : { headers }) })

/** The error envelope in JSON (spec: Errors). */
export const errorJson = (
  code: ErrorCode,
  requestId: string,
  details?: readonly ErrorDetail[],
  message: string = ERRORS[code].message,
): string => JSON.stringify({ error: { code, message, request_id: requestId, details } })

/** Answers with an error of the table. */
export const sendError = (
  exchange: Exchange,
  code: ErrorCode,
  details?: readonly ErrorDetail[],
  headers: FlatHeaders = [],
): void =>
  sendJson(exchange, ERRORS[code].status, errorJson(code, exchange.requestId, details), [
    ...NO_STORE,
    ...headers,
  ])

/** Answers with what a service refused, in the words of the route where it has some. */
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
    headers: replayedRequestId === undefined ? NO_STORE : REPLAYED,
  })
}

/** What metrics call the answer to a caller that hung up. */
const STATUS_OF_GONE = 499

/** Ends an exchange whose caller is gone: there is nobody to answer. */
export const abandon = (exchange: Exchange): void => {
  exchange.answered(exchange, STATUS_OF_GONE)
  exchange.response.destroy()
}

type StreamedContent = Readonly<{
  type: string
  length: number
  bytes: AsyncGenerator<Buffer>
  headers: FlatHeaders
  security: FlatHeaders
}>

/**
 * Sends bytes as they come, no faster than the caller takes them. The head waits for the first of them, so that what
 * cannot be read at all is answered as an error; what breaks later cuts the connection, and the length shows it.
 */
export const sendStream = async (exchange: Exchange, content: StreamedContent): Promise<void> => {
  const { request, response } = exchange
  const { bytes } = content
  const first = request.method === 'HEAD' ? null : await bytes.next()
  response.writeHead(200, [
    ...content.security,
    'X-Request-Id',
    exchange.requestId,
    ...allowanceHeaders(bucketOf(exchange)),
    'Content-Type',
    content.type,
    'Content-Length',
    content.length,
    ...content.headers,
    ...(exchange.closing() ? CLOSE : []),
  ])
  const all = async function* () {
    if (first?.done === false) yield first.value
    if (first !== null) yield* bytes
  }
  response.setTimeout(STALLED_MS, () => response.destroy())
  try {
    await pipeline(all(), response)
    exchange.answered(exchange, 200)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
    abandon(exchange)
  }
}
