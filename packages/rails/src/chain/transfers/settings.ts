import { setting, type Settings } from '@causeway/chassis/settings'

const feeRate = (bound: 'Least' | 'Most', network: string, defaultRate: string) =>
  setting.integer({
    default: defaultRate,
    min: 1,
    max: 10_000,
    doc:
      bound === 'Least'
        ? `Least fee of a transfer on ${network}, also where its node cannot advise one; satoshi per virtual byte`
        : `Most that a transfer on ${network} may pay, satoshi per virtual byte; above it nothing is signed`,
  })

/** What transfers may cost (docs/GOING-LIVE.md). */
export const TRANSFER_SETTINGS = {
  BTC_FEE_RATE_MIN: feeRate('Least', 'BTC', '2'),
  BTC_FEE_RATE_MAX: feeRate('Most', 'BTC', '200'),
  LTC_FEE_RATE_MIN: feeRate('Least', 'LTC', '2'),
  LTC_FEE_RATE_MAX: feeRate('Most', 'LTC', '200'),
  ETH_GAS_PRICE_MAX: setting.integer({
    default: '100',
    min: 1,
    max: 100_000,
    doc: 'Most that a transfer on ETH may pay for a unit of gas, in gwei; above it nothing is signed',
  }),
} as const

/** Loaded {@link TRANSFER_SETTINGS}. */
export type TransferConfig = Settings<typeof TRANSFER_SETTINGS>
