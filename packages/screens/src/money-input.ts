import { minorUnitDecimals } from '@causeway/contracts'

const MAX_DIGITS = 15

/**
 * Reads an amount that a person entered in major units, such as `1250.00` or `-12.5`.
 * @returns signed minor units of the currency; null for any other text, for more decimals than the currency has, and for
 *   more than 15 digits
 */
export const readMinorUnits = (entered: string, currency: string): number | null => {
  const decimals = minorUnitDecimals(currency)
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(entered.trim()) ?? []
  if (decimals === null || whole === '' || fraction.length > decimals) return null
  const digits = `${whole}${fraction.padEnd(decimals, '0')}`
  return digits.length > MAX_DIGITS ? null : Number(`${sign}${digits}`)
}

/** Says how to enter an amount of a currency, for the error of its field. */
export const minorUnitsAdvice = (currency: string): string => {
  const decimals = minorUnitDecimals(currency)
  if (decimals === null) return 'Enter the currency first, for example EUR.'
  return decimals === 0
    ? `Enter a whole number: ${currency} has no decimals.`
    : `Enter a number with at most ${decimals} decimals, for example ${(1250).toFixed(decimals)}.`
}
