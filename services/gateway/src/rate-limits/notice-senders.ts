import { LRUCache } from 'lru-cache'
import type { IncomingMessage } from 'node:http'
import type { Clock } from '@causeway/chassis'
import type { Exchange } from '../http/exchange.ts'
import type { GuessLimit } from './guess-limit.ts'

/** How long an address is trusted after a verified notice. */
const TRUSTED_MS = 24 * 3_600_000
const CAPACITY = 10_000

/**
 * Limits forged notices of card processors and onramp providers by address. Only the service that holds a sender's
 * secret can verify a notice, so the gateway counts the service's refusals: notices from an address over the limit are
 * refused without asking the service, unless it has verified one of the same sender from there within a day.
 */
export type NoticeSenders = Readonly<{
  /** Before the service is asked: the seconds of `Retry-After` when the notice is refused, else null. */
  retryAfter: (exchange: Exchange) => number | null
  /** Counts a notice that was not verified. @returns the seconds of `Retry-After` when the address is over its limit, else null */
  recordFailure: (exchange: Exchange) => number | null
  /** Trusts the address for this sender. */
  recordVerified: (exchange: Exchange) => void
}>

export const createNoticeSenders = (
  guesses: GuessLimit,
  clock: Clock,
  addressOf: (request: IncomingMessage) => string,
): NoticeSenders => {
  const trustedUntilMs = new LRUCache<string, number>({ max: CAPACITY })
  const keyOf = ({ path, request }: Exchange) => `${path} ${addressOf(request)}`
  return {
    retryAfter(exchange) {
      const retryAfter = guesses.retryAfter(exchange.request)
      if (retryAfter === null) return null
      return (trustedUntilMs.get(keyOf(exchange)) ?? 0) > clock.nowMs() ? null : retryAfter
    },
    recordFailure: (exchange) => guesses.recordFailure(exchange.request),
    recordVerified(exchange) {
      trustedUntilMs.set(keyOf(exchange), clock.nowMs() + TRUSTED_MS)
    },
  }
}
