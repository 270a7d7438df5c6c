import { startService, type ServiceContext, type Running } from '@causeway/chassis'
import {
  createDestinations,
  createFixedRateSource,
  createHttpRateSource,
  createSandboxChainAdapter,
  type RateSource,
} from '@causeway/rails'
import { fileURLToPath } from 'node:url'
import { startCardPayments } from './card-payments.ts'
import { createOnboarding } from './clients/onboarding.ts'
import type { PaymentsConfig } from './config.ts'
import { toTolerance } from './deposits/settlement.ts'
import { startChainWatcher } from './deposits/jobs/chain-watcher.ts'
import { startPayerRetention } from './payers/jobs/retention.ts'
import { startExpiry } from './crypto-orders/jobs/expiry.ts'
import { startWatchRegistration } from './deposits/jobs/watch-registration.ts'
import { latePaymentOperations } from './late-payments/operations.ts'
import { onrampHoldOperations } from './onramp-holds/operations.ts'
import { cryptoOrderOperations } from './crypto-orders/operations.ts'
import { payerOperations } from './payers/operations.ts'
import { payoutOperations } from './payouts/operations.ts'
import { createRelationships } from './relationships/relationships.ts'
import { followRelationships } from './relationships/reactions.ts'
import { VAULT_USE } from './sealed-columns.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
const CHAIN_TIMEOUT_MS = 5_000
const ONBOARDING_TIMEOUT_MS = 3_000
const RATES_TIMEOUT_MS = 2_000
const RATES_CACHE_MS = 10_000
const RATES_MAX_AGE_MS = 60_000

const openRates = (config: PaymentsConfig, now: () => Date): RateSource =>
  config.ratesUrl === undefined
    ? createFixedRateSource({ now })
    : createHttpRateSource({
        url: config.ratesUrl,
        now,
        timeoutMs: RATES_TIMEOUT_MS,
        cacheMs: RATES_CACHE_MS,
        maxAgeMs: RATES_MAX_AGE_MS,
      })

const build = (config: PaymentsConfig) => async (context: ServiceContext) => {
  const { bus, clock, db, log } = context
  const { publicBaseUrl } = config
  const destinations = createDestinations(config.accounts)
  const rates = openRates(config, () => clock.now())
  const chain = createSandboxChainAdapter({ baseUrl: config.chainUrl, timeoutMs: CHAIN_TIMEOUT_MS })
  const onboarding = createOnboarding({ bus, clock, timeoutMs: ONBOARDING_TIMEOUT_MS })
  const registration = startWatchRegistration({ db, clock, log }, chain)
  const watcher = startChainWatcher(context, chain, {
    tolerance: toTolerance(config.underpaymentTolerance),
    publicBaseUrl,
    onWatchesLost: registration.wake,
  })
  const retention = startPayerRetention(context, config.payerRetentionMs)
  const expiry = startExpiry(context, { publicBaseUrl })
  const projection = followRelationships(context)
  const relationships = createRelationships({ db, onboarding })
  const crypto = cryptoOrderOperations(context, {
    relationships,
    destinations,
    rates,
    networksLive: new Set(config.networksLive),
    timeToLiveMs: config.invoiceTtlMs,
    publicBaseUrl,
    onInserted: registration.wake,
  })
  const cards = startCardPayments(context, config, { relationships, onboarding })
  return {
    operations: [
      ...crypto,
      ...onrampHoldOperations(context, { publicBaseUrl }),
      ...cards.operations,
      ...payoutOperations(context),
      ...payerOperations(context, { retentionMs: config.payerRetentionMs }),
      ...latePaymentOperations(context),
    ],
    async stop() {
      await Promise.all([registration.stop(), watcher.stop(), expiry.stop(), projection.stop(), cards.stop()])
      await retention.stop()
      await Promise.all([chain.close(), rates.close()])
    },
  }
}

/** Starts the payments service. */
export const startPayments = (config: PaymentsConfig): Promise<Running> =>
  startService({ name: 'payments', migrations: MIGRATIONS, keys: VAULT_USE, build: build(config) }, config)
