import type { z } from 'zod'
import { RailError, type RailFailure } from '../rail-error.ts'
import { createHttpExchange } from './exchange.ts'

export type JsonCall = Readonly<{
  method: 'GET' | 'POST' | 'PUT'
  /** Beginning with `/`; joined to the base address. */
  path: string
  query?: Readonly<Record<string, string | number>>
  headers?: Readonly<Record<string, string>>
  body?: unknown
  /** Absolute bound of the whole exchange; the client's own when absent. */
  timeoutMs?: number
  signal?: AbortSignal | undefined
}>

export type JsonAnswer = Readonly<{ status: number; body: unknown }>

/** JSON over {@link createHttpExchange}. */
export type JsonClient = Readonly<{
  /** @throws RailError; an abort of the caller's own signal is thrown as its reason */
  send: (call: JsonCall) => Promise<JsonAnswer>
  close: () => Promise<void>
}>

const parse = (call: JsonCall, status: number, text: string): unknown => {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    // Of a refusal or failure only the status counts: its body may be a proxy's page.
    if (status < 200 || status > 299) return undefined
    throw new RailError('malformed', `${call.method} ${call.path}: malformed`, { cause: error })
  }
}

/**
 * @param baseUrl address of the other side, with its path
 * @param maxBodyBytes answers above this are `malformed`
 * @param connections most connections to the other side
 */
export const createJsonClient = (options: {
  baseUrl: string
  timeoutMs: number
  maxBodyBytes: number
  connections?: number | undefined
}): JsonClient => {
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const http = createHttpExchange(options)
  return {
    send: async (call) => {
      const { status, text } = await http.send({
        method: call.method,
        url: `${baseUrl}${call.path}`,
        headers: {
          ...call.headers,
          accept: 'application/json',
          ...(call.body !== undefined && { 'content-type': 'application/json' }),
        },
        query: call.query,
        body: call.body === undefined ? undefined : JSON.stringify(call.body),
        timeoutMs: call.timeoutMs,
        signal: call.signal,
      })
      return { status, body: parse(call, status, text) }
    },
    close: () => http.close(),
  }
}

/** Returns the failure that a status means; null for a 2xx. */
export const failureOfStatus = (status: number): RailFailure | null => {
  if (status === 429) return 'throttled'
  if (status >= 500) return 'unavailable'
  return status < 200 || status > 299 ? 'refused' : null
}

/**
 * The body of a 2xx answer, parsed.
 * @throws RailError `throttled` for 429, `unavailable` for 5xx, `refused` for other statuses, `malformed` for
 *   another shape
 */
export const readAnswer = <T>(answer: JsonAnswer, shape: z.ZodType<T>): T => {
  const failure = failureOfStatus(answer.status)
  if (failure !== null) throw new RailError(failure, `answered ${answer.status}`)
  const parsed = shape.safeParse(answer.body)
  if (!parsed.success)
    throw new RailError('malformed', 'the response has the wrong format', { cause: parsed.error })
  return parsed.data
}
