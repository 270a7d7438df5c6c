import type { Asset } from '@causeway/contracts'
import { ASSET_DECIMALS, toUnits } from '@causeway/rails/networks'

/** Returns true for a decimal above zero with no more decimals than the asset has. */
export const isPayable = (amount: string, asset: Asset): boolean => {
  try {
    return toUnits(amount, ASSET_DECIMALS[asset]) > 0n
  } catch {
    return false
  }
}
