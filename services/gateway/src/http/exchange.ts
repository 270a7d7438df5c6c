import type { IncomingMessage, ServerResponse } from 'node:http'
import { newId } from '@causeway/chassis'
import type { FlatHeaders } from './security-headers.ts'

/** One request and its answer, from the first check to the last byte. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Generated here, never taken from the caller (decisions §1). */
  readonly requestId: string
  /** Path without the query, undecoded. */
  readonly path: string
  /** Query without its question mark, undecoded. */
  readonly search: string
  /** Path of the route in the table, for metrics and logs; never contains a caller's ids. */
  routePath: string
  /** True if a person reads the response in a browser and gets errors as pages. */
  showsPages: boolean
  /** Who calls, as the log names it once it is known: a client, a merchant or a staff key; never a credential. */
  client: string | null
  /** True if it was refused because of overload; the log counts such refusals instead of listing them. */
  isShed: boolean
  /** Headers of every answer: the rate limit of the caller's address, or the caller's own once it has authenticated. */
  rateLimitHeaders: () => FlatHeaders
  readonly startedMs: number
  /** Records metrics and the log line; called exactly once, when the head is written or the caller hung up. */
  readonly answered: (exchange: Exchange, status: number) => void
  /** Checks whether the server is stopping: every response then has `Connection: close`. */
  readonly closing: () => boolean
}

/** Splits a request target into path and query. In absolute form (RFC 9112 §3.2.2) its origin is ignored. */
const splitTarget = (target: string): readonly [path: string, search: string] => {
  const url = target.startsWith('/') ? null : URL.parse(target)
  const relative = url === null ? target : url.pathname + url.search
  const mark = relative.indexOf('?')
  return mark === -1 ? [relative, ''] : [relative.slice(0, mark), relative.slice(mark + 1)]
}

/** Starts the exchange of a request that has just arrived, under a new request id. */
export const createExchange = (
  request: IncomingMessage,
  response: ServerResponse,
  options: Pick<Exchange, 'rateLimitHeaders' | 'answered' | 'closing'>,
): Exchange => {
  const [path, search] = splitTarget(request.url ?? '/')
  return {
    request,
    response,
    requestId: newId('request'),
    path,
    search,
    routePath: '',
    showsPages: false,
    client: null,
    isShed: false,
    rateLimitHeaders: options.rateLimitHeaders,
    startedMs: performance.now(),
    answered: options.answered,
    closing: options.closing,
  }
}
