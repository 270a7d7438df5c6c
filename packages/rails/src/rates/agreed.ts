import { RailError } from '../rail-error.ts'
import { toUnits } from '../chain/units.ts'
import type { Rate, RateSource } from './source.ts'

const DECIMALS = 40
const WHOLE = 1_000_000n

const isClose = (a: Rate, b: Rate, maxDifference: number): boolean => {
  const [one, other] = [toUnits(a.price, DECIMALS), toUnits(b.price, DECIMALS)]
  const [low, high] = one < other ? [one, other] : [other, one]
  return (high - low) * WHOLE <= low * BigInt(Math.round(maxDifference * Number(WHOLE)))
}

/**
 * Creates a source of prices that two sources agree on: the first one's price, with the older time of the two. If one of
 * them does not respond, or they differ more, it fails: otherwise an order would be locked at an outlier's price.
 * @param maxDifference share of the lower price, such as 0.02
 */
export const createAgreedRateSource = (
  [first, second]: readonly [RateSource, RateSource],
  { maxDifference }: Readonly<{ maxDifference: number }>,
): RateSource => ({
  rate: async (asset, currency) => {
    const [one, other] = await Promise.all([first.rate(asset, currency), second.rate(asset, currency)])
    if (one === null || other === null) return null
    if (!isClose(one, other, maxDifference))
      throw new RailError(
        'unavailable',
        `${one.source} and ${other.source} differ by more than ${maxDifference * 100} %: ${one.price} and ${other.price} ${currency} for one ${asset}`,
      )
    return {
      price: one.price,
      at: one.at < other.at ? one.at : other.at,
      source: `${one.source}, ${other.source}`,
    }
  },
  close: async () => {
    await Promise.all([first.close(), second.close()])
  },
})
