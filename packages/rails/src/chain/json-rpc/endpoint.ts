import { createHttpExchange, type HttpAnswer } from '../../http/exchange.ts'
import { failureOfStatus } from '../../http/json-client.ts'
import { RailError } from '../../rail-error.ts'
import { parseAddress } from './address.ts'
import { type Answer, type JsonRpcCall, parseAnswers, resultOf } from './answers.ts'
import { retryAfterMs } from './retry-after.ts'

export type EndpointOptions = Readonly<{
  /** Absolute bound of one exchange. */
  timeoutMs: number
  /** Answers above this are `malformed`. */
  maxAnswerBytes: number
  /** Maximum concurrent HTTP requests; more wait, within their timeout. */
  maxConcurrent?: number | undefined
  /** Calls in one HTTP request; a longer batch becomes several, one after the other. */
  maxBatch?: number | undefined
  /** Monotonic; for the rest that a 429 asks for. */
  nowMs?: (() => number) | undefined
  /** How HTTP is spoken; over the network when absent. */
  openHttp?: typeof createHttpExchange | undefined
}>

/** One JSON-RPC 2.0 endpoint over HTTP. Failures are RailErrors that name method and host; no retries. */
export type JsonRpcEndpoint = Readonly<{
  /** Host and port. */
  name: string
  /** @throws RailError, JsonRpcError; an abort of the caller's own signal is thrown as its reason */
  call: <T>(call: JsonRpcCall<T>, signal?: AbortSignal) => Promise<T>
  /** The results in the order of the calls, all or none. */
  batch: <T extends readonly unknown[]>(
    calls: Readonly<{ [K in keyof T]: JsonRpcCall<T[K]> }>,
    signal?: AbortSignal,
  ) => Promise<T>
  close: () => Promise<void>
}>

const MAX_CONCURRENT = 4
const MAX_BATCH = 100

const bodyOf = ({ method, params }: JsonRpcCall<unknown>, id: number) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

/** @throws Error, which does not repeat the address, when it is invalid */
export const createJsonRpcEndpoint = (address: string, options: EndpointOptions): JsonRpcEndpoint => {
  const { name, url, headers, redact } = parseAddress(address)
  const http = (options.openHttp ?? createHttpExchange)({
    timeoutMs: options.timeoutMs,
    maxBodyBytes: options.maxAnswerBytes,
    connections: options.maxConcurrent ?? MAX_CONCURRENT,
  })
  const nowMs = options.nowMs ?? (() => performance.now())
  const maxBatch = options.maxBatch ?? MAX_BATCH
  let restsUntilMs = Number.NEGATIVE_INFINITY
  const nameIt = (text: string) => redact(`${name} ${text}`)

  const rest = (ms: number) => (restsUntilMs = nowMs() + ms)

  /** Bitcoin Core answers error objects with the statuses 404 and 500: they say more than the status. */
  const read = (method: string, answer: HttpAnswer): readonly Answer[] => {
    if (answer.status === 429) rest(retryAfterMs(answer))
    const answers = parseAnswers(answer.text)
    const failure = failureOfStatus(answer.status)
    if (answers && (failure === null || (answers.every(({ error }) => error) && answer.status !== 429)))
      return answers
    throw new RailError(
      // An HTML page or a truncated response with status 200 comes from a proxy, and is temporary.
      failure ?? 'unavailable',
      nameIt(`${method}: ${failure === null ? 'no JSON-RPC answer' : `answered ${answer.status}`}`),
    )
  }

  const post = async (method: string, body: unknown, signal?: AbortSignal): Promise<readonly Answer[]> => {
    if (nowMs() < restsUntilMs)
      throw new RailError('throttled', nameIt(`${method}: rate limited: no request until the pause ends`))
    const answer = await http.send({
      method: 'POST',
      url,
      name: nameIt(method),
      headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    })
    return read(method, answer)
  }

  const sendBatch = async (calls: readonly JsonRpcCall<unknown>[], signal?: AbortSignal) => {
    const [first] = calls
    if (first === undefined) return []
    const answers = await post(first.method, calls.map(bodyOf), signal)
    const byId = new Map(answers.map((answer) => [answer.id, answer]))
    return calls.map((call, id) => {
      // One answer to the whole batch is an error of the whole batch.
      const answer = byId.get(id) ?? answers.find(({ error }) => error)
      if (!answer) throw new RailError('unavailable', nameIt(`${call.method}: not answered in its batch`))
      return resultOf(call, answer, nameIt)
    })
  }

  return {
    name,
    call: async (call, signal) => {
      const [answer] = await post(call.method, bodyOf(call, 0), signal)
      if (!answer) throw new RailError('unavailable', nameIt(`${call.method}: not answered`))
      return resultOf(call, answer, nameIt)
    },
    batch: async <T extends readonly unknown[]>(
      calls: Readonly<{ [K in keyof T]: JsonRpcCall<T[K]> }>,
      signal?: AbortSignal,
    ) => {
      const results: unknown[] = []
      const list: readonly JsonRpcCall<unknown>[] = calls
      for (let from = 0; from < list.length; from += maxBatch)
        results.push(...(await sendBatch(list.slice(from, from + maxBatch), signal)))
      return results as unknown as T
    },
    close: () => http.close(),
  }
}
