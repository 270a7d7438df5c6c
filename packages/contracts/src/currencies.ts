import { z } from 'zod'

/**
 * ISO 4217, list one: currencies in circulation by the decimals of their minor unit, without funds, metals and testing
 * codes. All amounts of the platform use this list; its test compares it with Unicode's.
 */
const BY_DECIMALS: Readonly<Record<0 | 2 | 3, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP
    CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS
    INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN
    MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE
    SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR
    ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
}

const DECIMALS: ReadonlyMap<string, number> = new Map(
  Object.entries(BY_DECIMALS).flatMap(([decimals, codes]) =>
    codes.split(/\s+/).map((code) => [code, Number(decimals)] as const),
  ),
)

/** Every code of the list. */
export const CURRENCIES: ReadonlySet<string> = new Set(DECIMALS.keys())

/**
 * Decimals of a currency's minor unit by ISO 4217; null for a code that is no currency in circulation.
 * `Intl` has other numbers for 16 of them: CLDR says how prices are written, not what the minor unit is.
 */
export const minorUnitDecimals = (currency: string): number | null => DECIMALS.get(currency) ?? null

/** The currency of a request: one in circulation. */
export const Currency = z
  .string()
  // Before the pattern, because its refusal names the currency that `eur` means.
  .refine((code) => DECIMALS.has(code), {
    params: {
      reason: 'invalid_value',
      expected: 'the ISO 4217 code of a currency in circulation',
      candidates: CURRENCIES,
    },
  })
  .regex(/^[A-Z]{3}$/)
  .meta({ description: 'ISO 4217 code of a currency in circulation' })

/** Minor units as a plain decimal: `formatMinorUnits(1234, 'JOD')` is `1.234`. An unknown currency has 2. */
export const formatMinorUnits = (amount: number, currency: string): string => {
  const decimals = minorUnitDecimals(currency) ?? 2
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const sign = amount < 0 ? '-' : ''
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-decimals)}`
}
