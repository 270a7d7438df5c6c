import { z } from 'zod'
import { createJsonClient, readAnswer } from '../http/json-client.ts'
import { RailError } from '../rail-error.ts'
import { createCachedRateSource, type RateCacheOptions } from './cached.ts'
import { Price } from './price.ts'
import type { RateSource } from './source.ts'

/**
 * The rate service's response to `GET <url>?asset=BTC&currency=EUR`:
 * `{"asset":"BTC","currency":"EUR","price":"61234.50","at":"2026-01-31T12:00:00.000Z"}`.
 * `price` is the price of one whole unit as a plain decimal, `at` its time. 404: not quoted.
 * Further fields are ignored.
 */
const RateAnswer = z.object({
  asset: z.string(),
  currency: z.string(),
  price: Price,
  at: z.iso.datetime({ offset: true }),
})

export type HttpRateOptions = RateCacheOptions & Readonly<{ url: string; timeoutMs: number }>

const MAX_ANSWER_BYTES = 4_096

/** Prices from an HTTP service of the deployment's own. */
export const createHttpRateSource = (options: HttpRateOptions): RateSource => {
  const client = createJsonClient({
    baseUrl: options.url,
    timeoutMs: options.timeoutMs,
    maxBodyBytes: MAX_ANSWER_BYTES,
  })
  const source = new URL(options.url).host
  return createCachedRateSource(
    {
      rate: async (asset, currency) => {
        const answer = await client.send({ method: 'GET', path: '', query: { asset, currency } })
        if (answer.status === 404) return null
        const found = readAnswer(answer, RateAnswer)
        if (found.asset !== asset || found.currency !== currency)
          throw new RailError('malformed', 'the rate is for another pair')
        return { price: found.price, at: new Date(found.at), source }
      },
      close: () => client.close(),
    },
    options,
  )
}
