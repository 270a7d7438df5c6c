import type { IncomingMessage } from 'node:http'
import type { Clock } from '@causeway/chassis'
import type { Exchange } from '../http/exchange.ts'
import { refuseRate } from '../rate-limits/answers.ts'
import { take, type Bucket } from '../rate-limits/token-bucket.ts'
import { refuseRoute, type Completion, type FoundRoute } from './found-route.ts'

type PublicRequestOptions = Readonly<{
  /** The bucket of the caller's address. */
  addressBucket: (request: IncomingMessage) => Bucket
  clock: Clock
  /** Answers a person who opened the base URL. */
  showHome: (exchange: Exchange) => void
}>

/** Checks whether somebody opened the base URL in a browser; programs, which do not accept HTML, get JSON there too. */
const isVisit = ({ path, request: { method, headers } }: Exchange): boolean =>
  path === '/' && (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html') === true

/** Answers a request for a public path: rate limit of the address, then route. */
export const handlePublic = (
  { addressBucket, clock, showHome }: PublicRequestOptions,
  exchange: Exchange,
  found: FoundRoute,
): Completion => {
  const route = found.endpoint?.kind === 'public' ? found.endpoint.route : null
  const bucket = addressBucket(exchange.request)
  if (!take(bucket, clock.nowMs()) && route?.unlimited !== true) refuseRate(exchange, bucket)
  else if (isVisit(exchange)) showHome(exchange)
  else if (route === null) refuseRoute(exchange, found)
  else {
    const completion = route.handle(exchange, found.values)
    if (completion instanceof Promise) return completion
  }
  return undefined
}
