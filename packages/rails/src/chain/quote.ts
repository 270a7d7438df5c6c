import type { Asset, Network } from '@causeway/contracts'
import { ASSET_DECIMALS, networkFee } from './networks.ts'
import { fromUnits, parseDecimal, toUnits } from './units.ts'

/**
 * Decimals of a quoted amount: those of the asset, at most 8. Wallets show 8, and a hundred-millionth
 * of any listed asset is worth less than a cent; 18 decimals of ETH would only be mistyped.
 */
export const quoteDecimals = (asset: Asset): number => Math.min(ASSET_DECIMALS[asset], 8)

export type Quote = Readonly<{
  /** Amount that has to arrive, in the asset. */
  amount: string
  /** Estimate of the network's fee in the same asset, or null when it is paid in another. */
  networkFee: string | null
  /** Amount that leaves the payer's wallet: amount and networkFee. */
  totalToSend: string
}>

const ceilDivide = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor

/**
 * The least amount of the asset, at its quote decimals, worth at least `fiatAmount`: rounded up, never down.
 * @param price fiat for one whole unit of the asset, a plain decimal above zero
 * @throws RangeError for a price or amount that is zero or no plain decimal
 */
export const quote = (order: {
  network: Network
  asset: Asset
  fiatAmount: string
  price: string
}): Quote => {
  const fiat = parseDecimal(order.fiatAmount)
  const price = parseDecimal(order.price)
  if (price.value === 0n || fiat.value === 0n) throw new RangeError('price and amount must be above zero')
  const decimals = quoteDecimals(order.asset)
  const dividend = fiat.value * 10n ** BigInt(decimals + price.scale)
  const units = ceilDivide(dividend, price.value * 10n ** BigInt(fiat.scale))
  const fee = networkFee(order.network, order.asset)
  return {
    amount: fromUnits(units, decimals),
    networkFee: fee,
    totalToSend: fromUnits(units + (fee === null ? 0n : toUnits(fee, decimals)), decimals),
  }
}

/**
 * The price of an amount of an asset, rounded up to this many decimals.
 * @param price fiat for one whole unit of the asset, a plain decimal
 */
export const fiatWorth = (amount: string, price: string, decimals: number): string => {
  const [units, fiat] = [parseDecimal(amount), parseDecimal(price)]
  const dividend = units.value * fiat.value * 10n ** BigInt(decimals)
  return fromUnits(ceilDivide(dividend, 10n ** BigInt(units.scale + fiat.scale)), decimals)
}
