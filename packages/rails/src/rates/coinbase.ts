import { z } from 'zod'
import { createJsonClient, readAnswer } from '../http/json-client.ts'
import { RailError } from '../rail-error.ts'
import { Price } from './price.ts'
import type { RateSource } from './source.ts'

/** `GET /v2/exchange-rates?currency=BTC`: what one unit of it is worth in each currency, without a time. */
const RatesAnswer = z.object({
  data: z.object({ currency: z.string(), rates: z.record(z.string(), z.string()) }),
})

/** Some 650 currencies. */
const MAX_ANSWER_BYTES = 262_144

/**
 * Coinbase's public exchange rates. Their time is that of the response, which contains none.
 * @param baseUrl `https://api.coinbase.com`
 */
export const createCoinbaseRateSource = (options: {
  baseUrl: string
  timeoutMs: number
  now: () => Date
}): RateSource => {
  const client = createJsonClient({ ...options, maxBodyBytes: MAX_ANSWER_BYTES })
  return {
    rate: async (asset, currency) => {
      const answer = await client.send({
        method: 'GET',
        path: '/v2/exchange-rates',
        query: { currency: asset },
      })
      const { data } = readAnswer(answer, RatesAnswer)
      if (data.currency !== asset)
        throw new RailError('malformed', 'Coinbase: the rates are for another asset')
      const text = Object.hasOwn(data.rates, currency) ? data.rates[currency] : undefined
      if (text === undefined) return null
      const price = Price.safeParse(text)
      if (!price.success) throw new RailError('malformed', `Coinbase: no price for ${asset} in ${currency}`)
      return { price: price.data, at: options.now(), source: 'coinbase' }
    },
    close: () => client.close(),
  }
}
