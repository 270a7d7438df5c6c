import { Asset, Network, type LedgerAmount } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'

/** A unit's parts: a currency, or a network and its asset. */
export const partsOfUnit = (
  unit: string,
): Readonly<{ currency: string }> | Readonly<{ network: Network; asset: Asset }> => {
  const [network, asset] = unit.split('/')
  return asset === undefined
    ? { currency: unit }
    : { network: Network.parse(network), asset: Asset.parse(asset) }
}

/** An amount of the books as it is shown: integer minor units of a currency, the decimal number of an asset. */
export const presentAmount = (unit: string, amount: string | bigint): LedgerAmount => {
  const parts = partsOfUnit(unit)
  const value = BigInt(amount)
  if ('currency' in parts) return Number(value)
  const decimal = fromUnits(value < 0n ? -value : value, ASSET_DECIMALS[parts.asset])
  return value < 0n ? `-${decimal}` : decimal
}

/**
 * A shown amount in the unit's smallest part: the reverse of {@link presentAmount}.
 * @throws RangeError for more decimals than the asset has
 */
export const partsOfAmount = (unit: string, amount: LedgerAmount): bigint => {
  const parts = partsOfUnit(unit)
  if ('currency' in parts) return BigInt(amount)
  const text = String(amount)
  const value = toUnits(text.replace('-', ''), ASSET_DECIMALS[parts.asset])
  return text.startsWith('-') ? -value : value
}
