import { minorUnitDecimals, type Asset, type ServiceFeePayer } from '@causeway/contracts'
import { ASSET_DECIMALS, fromUnits, quoteDecimals, toUnits, type Quote } from '@causeway/rails/networks'
import type { FeeRule } from './rules.ts'

/** Percentages have at most 2 decimals. */
const HUNDREDTHS_OF_A_PERCENT = 10_000n

export const decimalsOf = (decimal: string): number => decimal.split('.')[1]?.length ?? 0

export const roundHalfUp = (dividend: bigint, divisor: bigint): bigint =>
  (2n * dividend + divisor) / (2n * divisor)

/** The pair of a quote, and its rate: fiat for one whole unit of the asset. */
type Pair = Readonly<{ asset: Asset; currency: string; price: string }>

/** The amounts of a new order. `isTooBig`: the fee is above the price. */
export type ChargedQuote = Quote & Readonly<{ serviceFee: string; isTooBig: boolean }>

/**
 * Adds the service fee to a quote (decisions §52): percent of the price in the asset, and the fixed amount at the order's
 * rate, rounded once, half up, to the decimals of the quote. Payer `customer`: the fee comes on top of the price.
 */
export const addFee = (priced: Quote, pair: Pair, { percent, fixedCents, payer }: FeeRule): ChargedQuote => {
  if (percent === 0 && fixedCents === 0) return { ...priced, serviceFee: '0', isTooBig: false }
  const decimals = quoteDecimals(pair.asset)
  const rate = BigInt(Math.round(percent * 100))
  const units = toUnits(priced.amount, decimals)
  const scale = decimalsOf(pair.price)
  const fixed = BigInt(fixedCents) * 10n ** BigInt(decimals + scale) * HUNDREDTHS_OF_A_PERCENT
  const perFixed = toUnits(pair.price, scale) * 10n ** BigInt(minorUnitDecimals(pair.currency) ?? 2)
  const fee = roundHalfUp(units * rate * perFixed + fixed, perFixed * HUNDREDTHS_OF_A_PERCENT)
  const onTop = payer === 'customer' ? fee : 0n
  return {
    ...priced,
    amount: fromUnits(units + onTop, decimals),
    totalToSend: fromUnits(toUnits(priced.totalToSend, decimals) + onTop, decimals),
    serviceFee: fromUnits(fee, decimals),
    isTooBig: fee > units,
  }
}

/** An order with its fee; amounts are decimals in the asset. */
export type Charged = Readonly<{ asset: Asset; amount: string; serviceFee: string }>
export type Payer = Readonly<{ serviceFeePayer: ServiceFeePayer }>

/** The price of an order in the smallest unit of its asset. */
export const priceUnits = ({ asset, amount, serviceFee, serviceFeePayer }: Charged & Payer): bigint => {
  const [due, fee] = [amount, serviceFee].map((each) => toUnits(each, ASSET_DECIMALS[asset])) as [
    bigint,
    bigint,
  ]
  return serviceFeePayer === 'customer' ? due - fee : due
}

/** The price of an order in its asset: the amount due without a fee that its customer pays on top. */
export const priceOf = (order: Charged & Payer): string =>
  fromUnits(priceUnits(order), ASSET_DECIMALS[order.asset])
