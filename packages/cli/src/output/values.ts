/** Hundredths as an amount, such as `102.50 EUR`. */
export const cents = (amount: number, currency: string): string => `${(amount / 100).toFixed(2)} ${currency}`

/** A time to the second, as short as a column needs. */
export const time = (timestamp: string | null): string | null =>
  timestamp === null ? null : timestamp.slice(0, 19).replace('T', ' ')
