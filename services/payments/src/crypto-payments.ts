import { createServiceClient, type ServiceContext } from '@causeway/chassis'
import { toNetworkChains } from '@causeway/rails/chains'
import type { Destinations } from '@causeway/rails/networks'
import {
  createFixedRateSource,
  createHttpRateSource,
  createPublicRateSource,
  type RateSource,
} from '@causeway/rails/rates'
import { chainHoldingOperations } from './chain-holdings/operations.ts'
import { startChains } from './chains.ts'
import type { PaymentsConfig } from './config.ts'
import { createSigner, type Signer } from './clients/signer.ts'
import { startExpiry } from './crypto-orders/jobs/expiry.ts'
import { applyDepositMoney } from './deposits/apply-money.ts'
import { toTolerance } from './deposits/settlement.ts'
import { startUnderpaidExpiry } from './deposits/jobs/expire-underpaid.ts'
import { startSplitting } from './deposits/jobs/split-older.ts'
import { cryptoOrderOperations } from './crypto-orders/operations.ts'
import { createHandCheck } from './crypto-refunds/hand-check.ts'
import { createSignerAsking } from './crypto-refunds/ask-signer.ts'
import { startRefundFollowing } from './crypto-refunds/jobs/follow-refunds.ts'
import {
  createMoneyRefund,
  createMoneyRefundPlan,
  createMoneyRefundReading,
} from './crypto-refunds/money-refund.ts'
import {
  createOrderRefund,
  createOrderRefundPlan,
  createRefundReading,
} from './crypto-refunds/order-refund.ts'
import { latePaymentOperations } from './late-payments/operations.ts'
import { orderDepositOperations } from './order-deposits/operations.ts'
import { onrampHoldOperations } from './onramp-holds/operations.ts'
import type { OrderNumbers } from './order-numbers/order-numbers.ts'
import { paidAddressOperations } from './paid-addresses/operations.ts'
import { recipientOperations } from './recipients/operations.ts'
import type { Relationships } from './relationships/relationships.ts'

const RATES_TIMEOUT_MS = 2_000
const RATES_CACHE_MS = 10_000
const RATES_MAX_AGE_MS = 60_000
const SIGNER_TIMEOUT_MS = 2_000
/** The signer asks its nodes for at most 5 s. */
const ESTIMATE_TIMEOUT_MS = 6_500

const openRates = (
  config: PaymentsConfig,
  { clock, timeoutFactor }: Pick<ServiceContext, 'clock' | 'timeoutFactor'>,
): RateSource => {
  const { ratesUrl: url, ratesSources, ratesMaxDifference: maxDifference } = config
  const options = { now: () => clock.now(), timeoutMs: RATES_TIMEOUT_MS * timeoutFactor }
  if (ratesSources !== undefined) return createPublicRateSource(ratesSources, { ...options, maxDifference })
  if (url === undefined) return createFixedRateSource(options)
  return createHttpRateSource({ ...options, url, cacheMs: RATES_CACHE_MS, maxAgeMs: RATES_MAX_AGE_MS })
}

/** The signer; null where staff send refunds elsewhere. */
const openSigner = (context: ServiceContext, { cryptoRefunds }: PaymentsConfig): Signer | null =>
  cryptoRefunds === 'recorded'
    ? null
    : createSigner(
        createServiceClient({ ...context, timeoutMs: SIGNER_TIMEOUT_MS }),
        createServiceClient({ ...context, timeoutMs: ESTIMATE_TIMEOUT_MS }),
      )

/** The crypto half of payments: its operations, and the jobs that watch the chain and expire orders. */
export const startCryptoPayments = async (
  context: ServiceContext,
  config: PaymentsConfig,
  given: Readonly<{ relationships: Relationships; destinations: Destinations; numbers: OrderNumbers }>,
) => {
  const links = { publicBaseUrl: config.publicBaseUrl, chains: toNetworkChains(config.nodes) }
  const rates = openRates(config, context)
  const chains = await startChains(context, config, links)
  const expiry = startExpiry(context, { links })
  const underpaid = startUnderpaidExpiry(context, { links, underpaidAfterMs: config.underpaidAfterMs })
  const splitting = startSplitting(context)
  const signer = openSigner(context, config)
  const refunds = signer && startRefundFollowing(context, createSignerAsking(context, { signer, links }))
  const { treasuryOf } = given.destinations
  const own = { chains: links.chains, accounts: config.accounts, treasuryOf }
  const checkHandSent = createHandCheck({
    ...context,
    sources: chains.sources,
    confirmations: config.confirmations,
  })
  const orders = cryptoOrderOperations(context, {
    ...given,
    rates,
    networksLive: new Set(config.networksLive),
    timeToLiveMs: config.invoiceTtlMs,
    links,
    onInserted: chains.onInserted,
    buyersPage: { confirmations: config.confirmations, explorers: config.explorers },
    refunds: {
      refund: createOrderRefund(context, { links, own, signer, checkHandSent }),
      getRefundPlan: createOrderRefundPlan(context, { own, signer }),
      getRefund: createRefundReading(context, links),
    },
  })
  return {
    applyDepositMoney: applyDepositMoney({
      ...context,
      tolerance: toTolerance(config.underpaymentTolerance),
      confirmations: config.confirmations,
      links,
    }),
    operations: [
      ...orders,
      ...onrampHoldOperations(context, { links }),
      ...latePaymentOperations(context),
      ...paidAddressOperations(context),
      ...chainHoldingOperations({ ...context, signer, readers: chains.holdings }),
      ...orderDepositOperations({ ...context, signer }),
      ...recipientOperations(context, own),
    ],
    moneyRefunds: {
      refund: createMoneyRefund(context, { own, signer, checkHandSent }),
      getRefundPlan: createMoneyRefundPlan(context, { own, signer }),
    },
    readMoneyRefund: createMoneyRefundReading(context),
    async stop() {
      await Promise.all([chains, expiry, underpaid, splitting, refunds].map(async (part) => part?.stop()))
      await rates.close()
    },
  }
}
