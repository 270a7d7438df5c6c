import { sendError } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { FlatHeaders } from '../http/security-headers.ts'
import { remainingOf, resetSecondsOf, retryAfterSecondsOf, type Bucket } from './token-bucket.ts'

/** Headers that report the state of a rate limit (decisions §1, Rate limits). */
export const rateLimitHeaders = (bucket: Bucket): FlatHeaders => [
  'RateLimit-Limit',
  bucket.settings.burst,
  'RateLimit-Remaining',
  remainingOf(bucket),
  'RateLimit-Reset',
  resetSecondsOf(bucket),
]

/** Answers 429 (decisions §1, Rate limits). */
export const refuseRate = (exchange: Exchange, bucket: Bucket): void =>
  sendError(exchange, 'rate_limited', undefined, ['Retry-After', retryAfterSecondsOf(bucket)])
