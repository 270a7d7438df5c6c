const DECIMAL = /^(\d+)(?:\.(\d+))?$/

/** A non-negative decimal as `value / 10^scale`. */
export type ScaledInteger = Readonly<{ value: bigint; scale: number }>

/**
 * Reads a plain decimal without sign or exponent.
 * @throws RangeError for any other text
 */
export const parseDecimal = (text: string): ScaledInteger => {
  const match = DECIMAL.exec(text)
  if (!match) throw new RangeError('not a plain non-negative decimal')
  const fraction = match[2] ?? ''
  return { value: BigInt(`${match[1] ?? ''}${fraction}`), scale: fraction.length }
}

/**
 * A decimal amount in the smallest unit: `toUnits('0.5', 8)` is `50000000n`.
 * @throws RangeError when the amount has more decimals than the unit can hold; trailing zeros are free
 */
export const toUnits = (amount: string, decimals: number): bigint => {
  const { value, scale } = parseDecimal(amount)
  if (scale <= decimals) return value * 10n ** BigInt(decimals - scale)
  const divisor = 10n ** BigInt(scale - decimals)
  if (value % divisor !== 0n) throw new RangeError(`more than ${decimals} decimals`)
  return value / divisor
}

/** Smallest units as the shortest decimal, without exponent: `fromUnits(50000000n, 8)` is `'0.5'`. */
export const fromUnits = (units: bigint, decimals: number): string => {
  if (units < 0n) throw new RangeError('negative amount')
  const digits = units.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
