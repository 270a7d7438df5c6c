import type { Asset } from '@causeway/contracts'
import { z } from 'zod'
import { createJsonClient, readAnswer } from '../http/json-client.ts'
import { RailError } from '../rail-error.ts'
import { Price } from './price.ts'
import type { RateSource } from './source.ts'

/** CoinGecko's own names. */
const IDS: Readonly<Record<Asset, string>> = {
  BTC: 'bitcoin',
  LTC: 'litecoin',
  ETH: 'ethereum',
  SOL: 'solana',
  XRP: 'ripple',
  USDT: 'tether',
  USDC: 'usd-coin',
}

/** `GET /api/v3/simple/price?ids=bitcoin&vs_currencies=eur&include_last_updated_at=true`: numbers, and Unix seconds. */
const PricesAnswer = z.record(z.string(), z.record(z.string(), z.number()))

const MAX_ANSWER_BYTES = 16_384

/**
 * CoinGecko's public prices.
 * @param baseUrl `https://api.coingecko.com`
 */
export const createCoingeckoRateSource = (options: { baseUrl: string; timeoutMs: number }): RateSource => {
  const client = createJsonClient({ ...options, maxBodyBytes: MAX_ANSWER_BYTES })
  return {
    rate: async (asset, currency) => {
      const [id, field] = [IDS[asset], currency.toLowerCase()]
      const query = {
        ids: id,
        vs_currencies: field,
        include_last_updated_at: 'true',
        precision: 'full',
      }
      const answer = await client.send({ method: 'GET', path: '/api/v3/simple/price', query })
      const found = readAnswer(answer, PricesAnswer)[id]
      if (found === undefined) throw new RailError('malformed', `CoinGecko: no data about ${asset}`)
      const { [field]: value, last_updated_at: updatedAt } = found
      if (value === undefined) return null
      const price = Price.safeParse(String(value))
      if (!price.success || updatedAt === undefined)
        throw new RailError('malformed', `CoinGecko: no price, or no timestamp, for ${asset} in ${currency}`)
      return { price: price.data, at: new Date(updatedAt * 1_000), source: 'coingecko' }
    },
    close: () => client.close(),
  }
}
