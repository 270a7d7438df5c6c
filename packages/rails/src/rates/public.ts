import { createAgreedRateSource } from './agreed.ts'
import { createCachedRateSource } from './cached.ts'
import { createCoinbaseRateSource } from './coinbase.ts'
import { createCoingeckoRateSource } from './coingecko.ts'
import type { RateSource } from './source.ts'

export type PublicRateSourceName = 'coinbase' | 'coingecko'

type Options = Readonly<{ baseUrl: string; timeoutMs: number; now: () => Date }>

/** Public sources of prices, without an account. */
export const PUBLIC_RATE_SOURCES: Readonly<
  Record<PublicRateSourceName, Readonly<{ baseUrl: string; create: (options: Options) => RateSource }>>
> = {
  coinbase: { baseUrl: 'https://api.coinbase.com', create: createCoinbaseRateSource },
  coingecko: { baseUrl: 'https://api.coingecko.com', create: createCoingeckoRateSource },
}

/** They allow some ten calls a minute, and their prices are a minute old. */
const CACHE_MS = 60_000
const MAX_AGE_MS = 300_000

/**
 * The price that two public sources agree on.
 * @param names the first one's price is used
 * @param maxDifference share of the lower price, such as 0.02
 */
export const createPublicRateSource = (
  names: readonly [PublicRateSourceName, PublicRateSourceName],
  { maxDifference, ...options }: Omit<Options, 'baseUrl'> & Readonly<{ maxDifference: number }>,
): RateSource => {
  const open = (name: PublicRateSourceName) => {
    const { baseUrl, create } = PUBLIC_RATE_SOURCES[name]
    return create({ ...options, baseUrl })
  }
  return createCachedRateSource(createAgreedRateSource([open(names[0]), open(names[1])], { maxDifference }), {
    now: options.now,
    cacheMs: CACHE_MS,
    maxAgeMs: MAX_AGE_MS,
  })
}
