import { span } from '@causeway/chassis/telemetry'
import { Agent, request } from 'undici'
import { RailError, type RailFailure } from '../rail-error.ts'
import { withDeadline } from './deadline.ts'

export type HttpCall = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  /** Name in errors; method and path if absent. For addresses whose path is a secret. */
  name?: string | undefined
  headers: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number>> | undefined
  body?: string | undefined
  /** Encoding of a response whose text represents bytes; UTF-8 if absent. */
  encoding?: 'latin1' | undefined
  /** Absolute bound of the whole exchange; the client's own when absent. */
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
}>

export type HttpAnswer = Readonly<{
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}>

/** HTTP to one host outside: one deadline, a bounded answer, failures by kind, no retries. */
export type HttpExchange = Readonly<{
  /** @throws RailError; an abort of the caller's own signal is thrown as its reason */
  send: (call: HttpCall) => Promise<HttpAnswer>
  close: () => Promise<void>
}>

/** Default of `connections`. */
const CONNECTIONS = 16

const FAILURES: Readonly<Record<string, RailFailure>> = {
  ECONNREFUSED: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'unreachable',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'malformed',
}

const failureOf = (error: unknown): RailFailure => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  return FAILURES[code] ?? 'reset'
}

const decoder = new TextDecoder()

/**
 * @param options.maxBodyBytes answers above this are `malformed`
 * @param options.connections most connections to one origin; further calls wait, within their deadline
 */
export const createHttpExchange = (options: {
  timeoutMs: number
  maxBodyBytes: number
  connections?: number | undefined
}): HttpExchange => {
  const agent = new Agent({
    connections: options.connections ?? CONNECTIONS,
    maxResponseSize: options.maxBodyBytes,
    connect: { timeout: options.timeoutMs },
  })

  const exchange = async (call: HttpCall, signal: AbortSignal): Promise<HttpAnswer> => {
    const answer = await request(call.url, {
      dispatcher: agent,
      method: call.method,
      headers: call.headers,
      ...(call.query && { query: call.query }),
      ...(call.body !== undefined && { body: call.body }),
      signal,
    })
    const bytes = await answer.body.arrayBuffer()
    const text = call.encoding ? Buffer.from(bytes).toString(call.encoding) : decoder.decode(bytes)
    return { status: answer.statusCode, headers: answer.headers, text }
  }

  return {
    send: ({ timeoutMs = options.timeoutMs, ...call }) =>
      withDeadline({ timeoutMs, signal: call.signal }, async (bound) => {
        try {
          return await span.aroundHttp(
            call,
            ({ status }) => status,
            () => exchange(call, bound),
          )
        } catch (error) {
          call.signal?.throwIfAborted()
          const failure = bound.aborted ? 'timeout' : failureOf(error)
          const name = call.name ?? `${call.method} ${new URL(call.url).pathname}`
          throw new RailError(failure, `${name}: ${failure}`, { cause: error })
        }
      }),
    close: () => agent.destroy(),
  }
}
