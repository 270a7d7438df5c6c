import type { Asset } from '@causeway/contracts'
import { LRUCache } from 'lru-cache'
import { RailError } from '../rail-error.ts'
import type { Rate, RateSource } from './source.ts'

export type RateCacheOptions = Readonly<{
  now: () => Date
  /** How long a price is used before it is asked for again. */
  cacheMs: number
  /** A price older than this is never used, whether cached or just received. */
  maxAgeMs: number
}>

const MAX_CACHED_PAIRS = 1_000

type Cached = { rate: Rate | null; askedAtMs: number }

/**
 * Keeps prices for a while. Concurrent requests for a pair share one call; while a source fails, its last price serves as
 * long as it is young enough.
 */
export const createCachedRateSource = (source: RateSource, options: RateCacheOptions): RateSource => {
  const cache = new LRUCache<string, Cached>({ max: MAX_CACHED_PAIRS })
  const asking = new Map<string, Promise<Rate | null>>()
  const nowMs = () => options.now().getTime()
  const isUsable = (rate: Rate | null) => rate === null || nowMs() - rate.at.getTime() <= options.maxAgeMs

  const ask = async (asset: Asset, currency: string): Promise<Rate | null> => {
    const rate = await source.rate(asset, currency)
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
    close: () => source.close(),
  }
}
