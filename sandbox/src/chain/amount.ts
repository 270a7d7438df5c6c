import type { Asset } from '@causeway/contracts'
import { ASSET_DECIMALS, toUnits } from '@causeway/rails'

/** Whether a text is an amount above zero that the asset's smallest unit can express. */
export const isPayable = (amount: string, asset: Asset): boolean => {
  try {
    return toUnits(amount, ASSET_DECIMALS[asset]) > 0n
  } catch {
    return false
  }
}
