/** Hundredths as an amount, such as `102.50 EUR`. */
export const cents = (amount: number, currency: string): string => `${(amount / 100).toFixed(2)} ${currency}`

/** An amount of the books: hundredths of a currency, or the decimal number of an asset. */
export const unitAmount = (amount: number | string, unit: string): string =>
  typeof amount === 'number' ? cents(amount, unit) : `${amount} ${unit}`

/** A time to the second, as short as a column needs. */
export const time = (timestamp: string | null): string | null =>
  timestamp === null ? null : timestamp.slice(0, 19).replace('T', ' ')
