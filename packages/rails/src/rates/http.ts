import type { Asset } from '@causeway/contracts'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { createJsonClient, readAnswer } from '../http/json-client.ts'
import { RailError } from '../rail-error.ts'
import type { Rate, RateSource } from './source.ts'

/**
 * What the rate service answers to `GET <url>?asset=BTC&currency=EUR`:
 * `{"asset":"BTC","currency":"EUR","price":"61234.50","at":"2026-01-31T12:00:00.000Z"}`.
 * `price` is the price of one whole unit as a plain decimal, `at` its time. 404: not quoted.
 * Further fields are ignored.
 */
const RateAnswer = z.object({
  asset: z.string(),
  currency: z.string(),
  price: z
    .string()
    .max(40)
    .regex(/^\d+(\.\d+)?$/)
    .refine((price) => /[1-9]/.test(price)),
  at: z.iso.datetime({ offset: true }),
})

export type HttpRateOptions = Readonly<{
  url: string
  now: () => Date
  timeoutMs: number
  /** How long an answer is used before the service is asked again. */
  cacheMs: number
  /** A price older than this is never used, whether cached or just received. */
  maxAgeMs: number
}>

const MAX_ANSWER_BYTES = 4_096
const MAX_CACHED_PAIRS = 1_000

type Cached = { rate: Rate | null; askedAtMs: number }

/** Prices from an HTTP service. Answers are cached; concurrent requests for a pair share one call. */
export const createHttpRateSource = (options: HttpRateOptions): RateSource => {
  const client = createJsonClient({
    baseUrl: options.url,
    timeoutMs: options.timeoutMs,
    maxBodyBytes: MAX_ANSWER_BYTES,
  })
  const cache = new LRUCache<string, Cached>({ max: MAX_CACHED_PAIRS })
  const asking = new Map<string, Promise<Rate | null>>()
  const nowMs = () => options.now().getTime()
  const isUsable = (rate: Rate | null) => rate === null || nowMs() - rate.at.getTime() <= options.maxAgeMs

  const ask = async (asset: Asset, currency: string): Promise<Rate | null> => {
    const answer = await client.send({ method: 'GET', path: '', query: { asset, currency } })
    if (answer.status === 404) return null
    const found = readAnswer(answer, RateAnswer)
    if (found.asset !== asset || found.currency !== currency)
      throw new RailError('malformed', 'a rate of another pair')
    const rate = { price: found.price, at: new Date(found.at) }
    if (!isUsable(rate)) throw new RailError('unavailable', 'the rate is too old')
    return rate
  }

  const refresh = async (pair: string, asset: Asset, currency: string): Promise<Rate | null> => {
    try {
      const rate = await ask(asset, currency)
      cache.set(pair, { rate, askedAtMs: nowMs() })
      return rate
    } catch (error) {
      const last = cache.get(pair)
      if (last?.rate && isUsable(last.rate)) return last.rate
      throw error
    } finally {
      asking.delete(pair)
    }
  }

  return {
    rate: (asset, currency) => {
      const pair = `${asset}/${currency}`
      const cached = cache.get(pair)
      if (cached && nowMs() - cached.askedAtMs < options.cacheMs && isUsable(cached.rate))
        return Promise.resolve(cached.rate)
      const pending = asking.get(pair) ?? refresh(pair, asset, currency)
      asking.set(pair, pending)
      return pending
    },
    close: () => client.close(),
  }
}
