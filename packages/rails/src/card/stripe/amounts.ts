import { minorUnitDecimals } from '@causeway/contracts'
import { RailError } from '../../rail-error.ts'

/**
 * Where Stripe does not count in the minor unit of ISO 4217 (Stripe: Currencies, "Zero-decimal currencies" and
 * "Special cases"): it takes ISK and UGX with two decimals that must be 00, MGA with none.
 */
const STRIPE_DECIMALS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 }

const decimalsOf = (currency: string): { iso: number; stripe: number } => {
  const iso = minorUnitDecimals(currency)
  if (iso === null) throw new RailError('refused', `${currency} is not a currency in circulation`)
  return { iso, stripe: STRIPE_DECIMALS[currency] ?? iso }
}

/** Stripe charges currencies of three decimals to the hundredth: the last digit must be 0. */
const STEP_OF_THREE_DECIMALS = 10

/** Returns the step of amounts, in ISO 4217 minor units. */
export const stripeStep = (currency: string): number => {
  const iso = minorUnitDecimals(currency) ?? 0
  const stripe = STRIPE_DECIMALS[currency] ?? iso
  return stripe === 3 ? STEP_OF_THREE_DECIMALS : 10 ** Math.max(iso - stripe, 0)
}

/**
 * Converts ISO 4217 minor units to Stripe's units.
 * @throws RailError `refused` for an amount that Stripe cannot charge
 */
export const toStripeAmount = (amountCents: number, currency: string): number => {
  const { iso, stripe } = decimalsOf(currency)
  const amount = stripe >= iso ? amountCents * 10 ** (stripe - iso) : amountCents / 10 ** (iso - stripe)
  if (!Number.isSafeInteger(amount) || (stripe === 3 && amount % STEP_OF_THREE_DECIMALS !== 0))
    throw new RailError('refused', `Stripe cannot represent this amount in ${currency}`)
  return amount
}

/** Converts back. @throws RailError `malformed` when it is not a whole number of minor units */
export const fromStripeAmount = (amount: number, stripeCurrency: string): number => {
  const { iso, stripe } = decimalsOf(stripeCurrency.toUpperCase())
  const cents = stripe >= iso ? amount / 10 ** (stripe - iso) : amount * 10 ** (iso - stripe)
  if (!Number.isSafeInteger(cents))
    throw new RailError('malformed', `not a whole number of minor units of ${stripeCurrency}`)
  return cents
}
