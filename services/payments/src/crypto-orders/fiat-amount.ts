import { minorUnitDecimals } from '@causeway/contracts'

const MOST_DECIMALS = 2

/**
 * A fiat amount in one spelling: as many decimals as the currency has, at most 2, and more only where the amount
 * itself has them. `25` EUR is `25.00`, `1000` JPY is `1000`.
 * @param amount plain decimal with at most 2 decimals
 */
export const spellFiat = (amount: string, currency: string): string => {
  const [whole = '0', fraction = ''] = amount.split('.')
  const significant = fraction.replace(/0+$/, '')
  const decimals = Math.max(
    Math.min(minorUnitDecimals(currency) ?? MOST_DECIMALS, MOST_DECIMALS),
    significant.length,
  )
  const spelled = whole.replace(/^0+(?=\d)/, '')
  return decimals === 0 ? spelled : `${spelled}.${significant.padEnd(decimals, '0')}`
}
