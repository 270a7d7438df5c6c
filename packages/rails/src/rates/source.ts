import type { Asset } from '@causeway/contracts'

/** The price of one whole unit of an asset, and its time. */
export type Rate = Readonly<{
  /** Plain decimal in the currency, above zero */
  price: string
  at: Date
  /** Who said so, for those who ask later why an order has this amount. */
  source: string
}>

/** Where prices come from. */
export type RateSource = Readonly<{
  /**
   * @param currency ISO 4217 code, upper case
   * @returns null when the pair is not quoted at all
   * @throws RailError when no price is available now
   */
  rate: (asset: Asset, currency: string) => Promise<Rate | null>
  close: () => Promise<void>
}>
