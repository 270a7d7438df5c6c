import type { z } from 'zod'
import { createHttpExchange, type HttpAnswer, type HttpCall } from '../../http/exchange.ts'
import { failureOfStatus } from '../../http/json-client.ts'
import { RailError } from '../../rail-error.ts'
import { parseAddress } from '../json-rpc/address.ts'
import { retryAfterMs } from '../json-rpc/retry-after.ts'
import { type BitcoinEndpointOptions, MAX_ANSWER_BYTES } from './endpoint.ts'

/** A server of Esplora's form. Failures are RailErrors that name host and path; no retries. */
export type EsploraHttp = Readonly<{
  name: string
  /** Null for a 404. */
  findText: <T>(shape: z.ZodType<T>, path: string, signal?: AbortSignal) => Promise<T | null>
  findBytes: (path: string, signal?: AbortSignal) => Promise<Buffer | null>
  findJson: <T>(shape: z.ZodType<T>, path: string, signal?: AbortSignal) => Promise<T | null>
  /** Null for a success; the text of a 400, by which the node behind it refuses what was sent. */
  post: (path: string, body: string, signal?: AbortSignal) => Promise<string | null>
  /** @throws RailError in the place of null */
  required: <T>(path: string, found: T | null) => T
  close: () => Promise<void>
}>

/** Public servers allow few concurrent requests. */
export const CONNECTIONS = 4
const NOT_FOUND = 404
const BAD_REQUEST = 400

/** @throws Error, which does not repeat the address, when it is invalid */
export const createEsploraHttp = (address: string, options: BitcoinEndpointOptions): EsploraHttp => {
  const { name, url, headers, redact } = parseAddress(address)
  const base = url.replace(/\/+$/, '')
  const http = createHttpExchange({
    timeoutMs: options.timeoutMs,
    maxBodyBytes: MAX_ANSWER_BYTES,
    connections: CONNECTIONS,
  })
  const nowMs = options.nowMs ?? (() => performance.now())
  let restsUntilMs = Number.NEGATIVE_INFINITY

  const failed = (path: string, failure: RailError['failure'], what: string) =>
    new RailError(failure, redact(`${name} ${path}: ${what}`))

  /** @param excepted a status that is an answer, not a failure */
  const send = async (
    path: string,
    excepted: number,
    call: Pick<HttpCall, 'method' | 'body' | 'encoding' | 'signal'>,
  ): Promise<HttpAnswer> => {
    if (nowMs() < restsUntilMs)
      throw failed(path, 'throttled', 'rate limited: no request until the pause ends')
    const answer = await http.send({
      ...call,
      url: `${base}${path}`,
      name: redact(`${name} ${path}`),
      headers,
    })
    if (answer.status === 429) restsUntilMs = nowMs() + retryAfterMs(answer)
    const failure = answer.status === excepted ? null : failureOfStatus(answer.status)
    if (failure !== null) throw failed(path, failure, `answered ${answer.status}`)
    return answer
  }
  const find = async (path: string, signal?: AbortSignal, encoding?: 'latin1'): Promise<string | null> => {
    const answer = await send(path, NOT_FOUND, { method: 'GET', encoding, signal })
    return answer.status === NOT_FOUND ? null : answer.text
  }
  const read = <T>(shape: z.ZodType<T>, path: string, value: unknown): T => {
    const parsed = shape.safeParse(value)
    if (parsed.success) return parsed.data
    throw failed(path, 'unavailable', 'the response has the wrong format')
  }
  const parse = (path: string, text: string): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      throw failed(path, 'unavailable', 'no JSON')
    }
  }

  return {
    name,
    findText: async (shape, path, signal) => {
      const text = await find(path, signal)
      return text === null ? null : read(shape, path, text)
    },
    findBytes: async (path, signal) => {
      const text = await find(path, signal, 'latin1')
      return text === null ? null : Buffer.from(text, 'latin1')
    },
    findJson: async (shape, path, signal) => {
      const text = await find(path, signal)
      return text === null ? null : read(shape, path, parse(path, text))
    },
    post: async (path, body, signal) => {
      const answer = await send(path, BAD_REQUEST, { method: 'POST', body, signal })
      return answer.status === BAD_REQUEST ? redact(answer.text) : null
    },
    required: (path, found) => {
      if (found === null) throw failed(path, 'unavailable', 'not there')
      return found
    },
    close: () => http.close(),
  }
}
