import { ASSET_DECIMALS, fromUnits, toUnits } from '@causeway/rails/networks'
import { decimalsOf, priceUnits, roundHalfUp, type Charged, type Payer } from '../price-plans/asset-fee.ts'
import { spellFiat } from './fiat-amount.ts'

/**
 * Returns the service fee of what an order has been credited with, in the smallest unit: the share of its fee, rounded half
 * up, so that it never exceeds what was credited. Of another asset it is the same share.
 */
export const feeOfCredited = ({ asset, amount, serviceFee }: Charged, credited: bigint): bigint => {
  const decimals = ASSET_DECIMALS[asset]
  const fee = toUnits(serviceFee, decimals)
  return fee === 0n ? 0n : roundHalfUp(fee * credited, toUnits(amount, decimals))
}

/**
 * The fiat price of an order with the fee that its customer pays on top, rounded up to the decimals of the price, so that it
 * buys the amount due.
 */
export const fiatDueOf = (
  order: Charged & Payer & Readonly<{ currency: string; fiatAmount: string }>,
): string => {
  const { asset, amount, currency, fiatAmount } = order
  const [due, price] = [toUnits(amount, ASSET_DECIMALS[asset]), priceUnits(order)]
  if (due === price) return fiatAmount
  const decimals = decimalsOf(fiatAmount)
  const fiat = (toUnits(fiatAmount, decimals) * due + price - 1n) / price
  return spellFiat(fromUnits(fiat, decimals), currency)
}

/** The fields of an order that has a service fee; no fields without one, so that those answers stay as they were. */
export const presentFee = ({
  serviceFee,
  serviceFeePercent,
  serviceFeePayer,
}: Payer & Readonly<{ serviceFee: string; serviceFeePercent: number }>) =>
  serviceFee === '0' ? {} : { serviceFee, serviceFeePercent, serviceFeePayer }
