import { refuse } from '@causeway/chassis'
import { NETWORK_ASSETS, NETWORKS, type Asset, type Network, type Refusal } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import { isAmount } from '../limits/limits.ts'

/** Decimals by unit, such as ETH/USDC: the most that leaves the treasury in a UTC day, whatever was approved. */
export type PayoutLimits = Readonly<Record<string, string>>

const ASSETS_OF_UNITS: ReadonlyMap<string, Asset> = new Map(
  NETWORKS.flatMap((network) =>
    NETWORK_ASSETS[network].map((asset): [string, Asset] => [`${network}/${asset}`, asset]),
  ),
)

/** Reads `BTC/BTC:0.5,ETH/USDC:50000`: the defaults hold for what is not named. @throws Error with what is wrong */
export const parsePayoutLimits = (text: string, defaults: PayoutLimits): PayoutLimits => {
  const named = Object.fromEntries(
    text.split(',').flatMap((part) => {
      if (part.trim() === '') return []
      const [unit = '', amount = '', ...rest] = part.trim().split(':')
      const asset = ASSETS_OF_UNITS.get(unit)
      if (asset === undefined || rest.length > 0 || !isAmount(asset, amount))
        throw new Error('must be a list such as BTC/BTC:0.5,ETH/USDC:50000')
      return [[unit, amount]]
    }),
  )
  return { ...defaults, ...named }
}

/** An amount that leaves the treasury. */
export type Spending = Readonly<{ network: Network; asset: Asset; amount: string }>

/** @param used what was signed on the day, this payout not included */
export const judgeDay = ({ network, asset, amount }: Spending, used: string, limits: PayoutLimits) => {
  const unit = `${network}/${asset}`
  const units = (text: string) => toUnits(text, ASSET_DECIMALS[asset])
  const limit = limits[unit] ?? '0'
  if (units(used) + units(amount) <= units(limit)) return null
  const left = units(limit) - units(used)
  return refuse('limit_reached', [
    {
      ...{ reason: 'limit_reached', resource: 'payouts', applies_to: 'day', limit, unit },
      remaining: fromUnits(left > 0n ? left : 0n, ASSET_DECIMALS[asset]),
    },
  ])
}

/** Refuses a payout that no day's limit allows. */
export const judgeAlone = (payout: Spending, limits: PayoutLimits): Refusal<'limit_reached'> | null =>
  judgeDay(payout, '0', limits)
