import type { PayableOrder } from '@causeway/contracts'
import type { Language } from '../languages/language.ts'

/** Names of networks; they are the same in every language. */
export const NETWORK_NAMES: Readonly<Record<PayableOrder['network'], string>> = {
  BTC: 'Bitcoin',
  LTC: 'Litecoin',
  ETH: 'Ethereum',
  SOL: 'Solana',
  XRP: 'XRP Ledger',
}

/** Formats an amount of an order's asset. */
export const withAsset = (
  amount: string,
  { asset }: Pick<PayableOrder, 'asset'>,
  decimal: Language['decimal'],
): string => `${decimal(amount)} ${asset}`

/** The fiat price, and the service fee that the buyer pays on top of it. */
export const priceText = (order: PayableOrder, { text, fiat, decimal }: Language): string => {
  const price = fiat(order.fiatAmount, order.currency)
  const { serviceFee } = order
  return serviceFee === undefined
    ? price
    : text('pay.priceWithFee', { price, fee: withAsset(serviceFee, order, decimal) })
}

/** The locked price of one unit of the asset; null where it is not known. */
export const rateText = ({ asset, rate, currency }: PayableOrder, { decimal }: Language): string | null =>
  rate === null ? null : `1 ${asset} = ${decimal(rate)} ${currency}`
