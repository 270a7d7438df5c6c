import { LRUCache } from 'lru-cache'
import type { IncomingMessage } from 'node:http'
import type { Clock } from '@causeway/chassis'
import type { Exchange } from '../http/exchange.ts'
import type { GuessLimit } from './guess-limit.ts'

/** How long an address counts as its sender's after a post that was believed. */
const TRUSTED_MS = 24 * 3_600_000
const CAPACITY = 10_000

/**
 * Limits forged posts of card processors and onramp providers by address. Only the service that holds a sender's
 * secret can tell a forged post from a genuine one, so the gateway goes by what the service has said of the address:
 * one over its limit of failures is refused without asking again, unless a post of the same sender has been believed
 * from there within a day.
 */
export type NoticeSenders = Readonly<{
  /** Before the service is asked: the seconds of `Retry-After` for an address that is refused, else null. */
  refuses: (exchange: Exchange) => number | null
  /** The post was not believed; the seconds of `Retry-After` when the address is over its limit, else null. */
  failed: (exchange: Exchange) => number | null
  believed: (exchange: Exchange) => void
}>

export const createNoticeSenders = (
  guesses: GuessLimit,
  clock: Clock,
  addressOf: (request: IncomingMessage) => string,
): NoticeSenders => {
  const trustedUntilMs = new LRUCache<string, number>({ max: CAPACITY })
  const keyOf = ({ path, request }: Exchange) => `${path} ${addressOf(request)}`
  return {
    refuses(exchange) {
      const retryAfter = guesses.spent(exchange.request)
      if (retryAfter === null) return null
      return (trustedUntilMs.get(keyOf(exchange)) ?? 0) > clock.nowMs() ? null : retryAfter
    },
    failed: (exchange) => guesses.fail(exchange.request),
    believed(exchange) {
      trustedUntilMs.set(keyOf(exchange), clock.nowMs() + TRUSTED_MS)
    },
  }
}
