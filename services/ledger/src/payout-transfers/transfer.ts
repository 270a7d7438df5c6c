import type { SendPayoutRequest, TreasuryTransfer } from '@causeway/contracts'
import type { PayoutRow } from '../payouts/announced-store.ts'
import { partsOfAmount, partsOfUnit, presentAmount } from '../posting/amounts.ts'

/** The transfer that pays a payout of crypto; null for a payout of a currency, and without a known address. */
export const transferOf = ({ unit, amount, address }: PayoutRow): TreasuryTransfer | null => {
  const parts = partsOfUnit(unit)
  if ('currency' in parts || address === null) return null
  return { ...parts, to_address: address, amount: String(presentAmount(unit, amount)) }
}

type Expected = SendPayoutRequest['expected']

/**
 * Returns the first field in which a transfer differs from what staff saw, or null.
 * @throws RangeError for more decimals than the asset has
 */
export const differenceOf = (
  { network, asset, to_address, amount }: TreasuryTransfer,
  expected: Expected,
): keyof Expected | null => {
  const unit = `${network}/${asset}`
  if (expected.unit !== unit) return 'unit'
  if (expected.address !== to_address) return 'address'
  return partsOfAmount(unit, expected.amount) === partsOfAmount(unit, amount) ? null : 'amount'
}
