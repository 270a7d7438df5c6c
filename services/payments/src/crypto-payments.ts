import type { ServiceContext } from '@causeway/chassis'
import {
  createDestinations,
  createFixedRateSource,
  createHttpRateSource,
  createSandboxChainAdapter,
  type RateSource,
} from '@causeway/rails'
import type { PaymentsConfig } from './config.ts'
import { startExpiry } from './crypto-orders/jobs/expiry.ts'
import { cryptoOrderOperations } from './crypto-orders/operations.ts'
import { startChainWatcher } from './deposits/jobs/chain-watcher.ts'
import { startWatchRegistration } from './deposits/jobs/watch-registration.ts'
import { toTolerance } from './deposits/settlement.ts'
import { latePaymentOperations } from './late-payments/operations.ts'
import { onrampHoldOperations } from './onramp-holds/operations.ts'
import type { Relationships } from './relationships/relationships.ts'

const CHAIN_TIMEOUT_MS = 5_000
const RATES_TIMEOUT_MS = 2_000
const RATES_CACHE_MS = 10_000
const RATES_MAX_AGE_MS = 60_000

const openRates = (
  config: PaymentsConfig,
  { clock, timeoutFactor }: Pick<ServiceContext, 'clock' | 'timeoutFactor'>,
): RateSource => {
  const now = () => clock.now()
  return config.ratesUrl === undefined
    ? createFixedRateSource({ now })
    : createHttpRateSource({
        url: config.ratesUrl,
        now,
        timeoutMs: RATES_TIMEOUT_MS * timeoutFactor,
        cacheMs: RATES_CACHE_MS,
        maxAgeMs: RATES_MAX_AGE_MS,
      })
}

/** The crypto half of payments: its operations, and the jobs that watch the chain and expire orders. */
export const startCryptoPayments = (
  context: ServiceContext,
  config: PaymentsConfig,
  { relationships }: Readonly<{ relationships: Relationships }>,
) => {
  const { publicBaseUrl } = config
  const rates = openRates(config, context)
  const timeoutMs = CHAIN_TIMEOUT_MS * context.timeoutFactor
  const chain = createSandboxChainAdapter({ baseUrl: config.chainUrl, timeoutMs })
  const registration = startWatchRegistration(context, chain)
  const watcher = startChainWatcher(context, chain, {
    tolerance: toTolerance(config.underpaymentTolerance),
    confirmations: config.confirmations,
    publicBaseUrl,
    onWatchesLost: registration.wake,
  })
  const expiry = startExpiry(context, { publicBaseUrl })
  const orders = cryptoOrderOperations(context, {
    relationships,
    destinations: createDestinations(config.accounts),
    rates,
    networksLive: new Set(config.networksLive),
    timeToLiveMs: config.invoiceTtlMs,
    publicBaseUrl,
    onInserted: registration.wake,
  })
  return {
    operations: [
      ...orders,
      ...onrampHoldOperations(context, { publicBaseUrl }),
      ...latePaymentOperations(context),
    ],
    async stop() {
      await Promise.all([registration.stop(), watcher.stop(), expiry.stop()])
      await Promise.all([chain.close(), rates.close()])
    },
  }
}
