import { minorUnitDecimals, type Asset, type CryptoSettlement } from '@causeway/contracts'
import { toUnits } from '@causeway/rails/networks'
import { decimalsOf, priceUnits, roundHalfUp, type Charged, type Payer } from '../price-plans/asset-fee.ts'
import { feeOfCredited } from './service-fee.ts'

/** Facts of an order that decide the value of its receipts. `fiatAmount` is its price in `currency`. */
export type Valued = Charged &
  Payer &
  Readonly<{ settlement: CryptoSettlement; currency: string; fiatAmount: string }>

/** An amount that is converted: `units` of the asset are worth `cents`, in the minor unit of the order's currency. */
export type Settled = Readonly<{ units: bigint; cents: bigint }>

const NOTHING_SETTLED: Settled = { units: 0n, cents: 0n }

/**
 * Returns the value of what an order has been credited with (decisions §52): what is left after its service fee, at the rate
 * of its two prices, rounded half up. So the price in the asset is worth exactly the price in fiat, whatever the quote was
 * rounded to. An order has no rate for another asset than its own.
 */
export const settledOfCredited = (order: Valued, asset: Asset, credited: bigint): Settled => {
  if (order.settlement === 'asset' || asset !== order.asset) return NOTHING_SETTLED
  const { currency, fiatAmount } = order
  const units = credited - feeOfCredited(order, credited)
  const scale = decimalsOf(fiatAmount)
  const fiat = toUnits(fiatAmount, scale) * 10n ** BigInt(minorUnitDecimals(currency) ?? 2)
  return { units, cents: roundHalfUp(fiat * units, priceUnits(order) * 10n ** BigInt(scale)) }
}
