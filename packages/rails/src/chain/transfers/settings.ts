import { setting, type Settings } from '@causeway/chassis/settings'

const feeRate = (bound: 'Least' | 'Most', network: string, defaultRate: string) =>
  setting.integer({
    default: defaultRate,
    min: 1,
    max: 10_000,
    doc:
      bound === 'Least'
        ? `Minimum fee of a transfer on ${network}, also if its node cannot estimate one, in satoshi per virtual byte`
        : `Maximum fee of a transfer on ${network}, in satoshi per virtual byte; above it nothing is signed`,
  })

/** Limits for the cost of transfers (docs/GOING-LIVE.md). */
export const TRANSFER_SETTINGS = {
  BTC_FEE_RATE_MIN: feeRate('Least', 'BTC', '2'),
  BTC_FEE_RATE_MAX: feeRate('Most', 'BTC', '200'),
  LTC_FEE_RATE_MIN: feeRate('Least', 'LTC', '2'),
  LTC_FEE_RATE_MAX: feeRate('Most', 'LTC', '200'),
  ETH_GAS_PRICE_MAX: setting.integer({
    default: '100',
    min: 1,
    max: 100_000,
    doc: 'Maximum price of a unit of gas for a transfer on ETH, in gwei; above it nothing is signed',
  }),
} as const

/** Loaded {@link TRANSFER_SETTINGS}. */
export type TransferConfig = Settings<typeof TRANSFER_SETTINGS>
