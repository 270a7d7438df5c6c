import type { z } from 'zod'
import { createHttpExchange } from '../../http/exchange.ts'
import { failureOfStatus } from '../../http/json-client.ts'
import { RailError } from '../../rail-error.ts'
import { parseAddress } from '../json-rpc/address.ts'
import { retryAfterMs } from '../json-rpc/retry-after.ts'
import { type BitcoinEndpointOptions, MAX_ANSWER_BYTES } from './endpoint.ts'

/** GET of a server of Esplora's form. Failures are RailErrors that name host and path; no retries. */
export type EsploraHttp = Readonly<{
  name: string
  /** Null for a 404. */
  findText: <T>(shape: z.ZodType<T>, path: string, signal?: AbortSignal) => Promise<T | null>
  findBytes: (path: string, signal?: AbortSignal) => Promise<Buffer | null>
  findJson: <T>(shape: z.ZodType<T>, path: string, signal?: AbortSignal) => Promise<T | null>
  /** @throws RailError in the place of null */
  required: <T>(path: string, found: T | null) => T
  close: () => Promise<void>
}>

/** Public servers allow a few requests at once. */
export const CONNECTIONS = 4
const NOT_FOUND = 404

/** @throws Error without the address when it is none */
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

  const find = async (path: string, signal?: AbortSignal, encoding?: 'latin1'): Promise<string | null> => {
    if (nowMs() < restsUntilMs) throw failed(path, 'throttled', 'asked for a rest')
    const called = { method: 'GET', url: `${base}${path}`, name: redact(`${name} ${path}`), headers } as const
    const answer = await http.send({ ...called, encoding, signal })
    if (answer.status === NOT_FOUND) return null
    if (answer.status === 429) restsUntilMs = nowMs() + retryAfterMs(answer)
    const failure = failureOfStatus(answer.status)
    if (failure !== null) throw failed(path, failure, `answered ${answer.status}`)
    return answer.text
  }
  const read = <T>(shape: z.ZodType<T>, path: string, value: unknown): T => {
    const parsed = shape.safeParse(value)
    if (parsed.success) return parsed.data
    throw failed(path, 'unavailable', 'an answer of another form')
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
    required: (path, found) => {
      if (found === null) throw failed(path, 'unavailable', 'not there')
      return found
    },
    close: () => http.close(),
  }
}
