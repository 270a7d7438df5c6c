import { z } from 'zod'
import { CURRENCIES } from '../currencies.ts'
import { NETWORK_ASSETS, NETWORKS } from '../payments/networks.ts'
import { DecimalString, idOf } from '../primitives.ts'

const CRYPTO_UNITS: ReadonlySet<string> = new Set(
  NETWORKS.flatMap((network) => NETWORK_ASSETS[network].map((asset) => `${network}/${asset}`)),
)

/** Unit of a balance in a request: a currency (`EUR`), or an asset on its network (`ETH/USDC`). */
export const LedgerUnit = z
  .string()
  .refine((unit) => CURRENCIES.has(unit) || CRYPTO_UNITS.has(unit), {
    params: { reason: 'invalid_value', expected: 'a currency (EUR), or a network and its asset (ETH/USDC)' },
  })
  .meta({ description: 'Currency (`EUR`), or network and asset (`ETH/USDC`)' })

/** Signed amount of the books: minor units of a currency, or the decimal number of an asset as text. */
export const LedgerAmount = z.union([z.number().int(), DecimalString])
export type LedgerAmount = z.infer<typeof LedgerAmount>

/** Owner of a merchant's money: one of its relationships, or the merchant itself (decisions §49). */
export const MerchantOwner = z.union([idOf('relationship'), idOf('merchant')])
