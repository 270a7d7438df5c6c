import { createMarks, createServiceClient, type ServiceContext, type Running } from '@causeway/chassis'
import { startService } from '@causeway/chassis/database'
import { toNetworkChains } from '@causeway/rails/chains'
import { createDestinations, type Destinations } from '@causeway/rails/networks'
import { fileURLToPath } from 'node:url'
import { startCardPayments } from './card-payments.ts'
import { createOnboarding } from './clients/onboarding.ts'
import { pastCardOrders } from './card-settlement/past-orders.ts'
import type { PaymentsConfig } from './config.ts'
import { startCryptoPayments } from './crypto-payments.ts'
import { pastCryptoOrders, pastCryptoRefunds } from './crypto-refunds/past-crypto.ts'
import { restateReceived } from './deposits/restate-received.ts'
import { createNumberMarks } from './order-numbers/grant.ts'
import { startNumbersKeeper } from './order-numbers/jobs/keep-numbers.ts'
import { startSkippedWatch } from './order-numbers/jobs/watch-skipped.ts'
import { createOrderNumbers } from './order-numbers/order-numbers.ts'
import { CARD_KEYS_END, type Numbered } from './order-numbers/segment.ts'
import { startPastFacts } from './past-facts/jobs/make-past-facts.ts'
import { startPayerRetention } from './payers/jobs/retention.ts'
import { payerOperations } from './payers/operations.ts'
import { pastPayoutOperations } from './past-payouts/operations.ts'
import { pricePlanOperations } from './price-plans/operations.ts'
import { createRelationships } from './relationships/relationships.ts'
import { followRelationships } from './relationships/reactions.ts'
import { VAULT_USE } from './columns.ts'
import { startMoneyGauges } from './unattributed-money/jobs/gauges.ts'
import { unattributedMoneyOperations } from './unattributed-money/operations.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
const ONBOARDING_TIMEOUT_MS = 3_000

/** Starts the allocator of order numbers, and the jobs that grant them ahead and keep the addresses of skipped ones. */
const startOrderNumbers = (
  context: Pick<ServiceContext, 'bus' | 'clock' | 'db' | 'log' | 'service'>,
  destinations: Destinations,
) => {
  const numbersContext = { ...context, marks: createMarks(context.bus, context.service) }
  const marks = createNumberMarks(numbersContext)
  const limitOf = (name: Numbered) => (name === 'card' ? CARD_KEYS_END - 1 : destinations.lastOf(name))
  const keeper = startNumbersKeeper(numbersContext, marks, limitOf)
  const watch = startSkippedWatch(context, destinations)
  return {
    numbers: createOrderNumbers(numbersContext, marks, destinations.lastOf),
    async stop() {
      await Promise.all([keeper.stop(), watch.stop()])
    },
  }
}

const build = (config: PaymentsConfig) => async (context: ServiceContext) => {
  const { db } = context
  const onboarding = createOnboarding(createServiceClient({ ...context, timeoutMs: ONBOARDING_TIMEOUT_MS }))
  const relationships = createRelationships({ db, onboarding })
  const projection = followRelationships(context)
  const retention = startPayerRetention(context, config.payerRetentionMs)
  const gauges = startMoneyGauges(context)
  const destinations = createDestinations(config.accounts, toNetworkChains(config.nodes))
  const { numbers, ...numbering } = startOrderNumbers(context, destinations)
  const crypto = await startCryptoPayments(context, config, { relationships, destinations, numbers })
  const cards = await startCardPayments(context, config, { relationships, onboarding, numbers })
  const past = await startPastFacts(context, [
    pastCardOrders(config.cardAvailableAfterMs),
    pastCryptoOrders,
    pastCryptoRefunds,
  ])
  return {
    operations: [
      ...crypto.operations,
      ...cards.operations,
      ...pastPayoutOperations(db),
      ...pricePlanOperations(context, config),
      ...unattributedMoneyOperations(context, {
        apply: { deposit: crypto.applyDepositMoney, card: cards.applyCardMoney },
        onDecided: restateReceived,
        refunds: crypto.moneyRefunds,
        readRefund: crypto.readMoneyRefund,
      }),
      ...payerOperations(context, { retentionMs: config.payerRetentionMs }),
    ],
    async stop() {
      await Promise.all(
        [crypto, cards, numbering, projection, retention, gauges, past].map((part) => part.stop()),
      )
    },
  }
}

/** Starts the payments service. */
export const startPayments = (config: PaymentsConfig): Promise<Running> =>
  startService({ name: 'payments', migrations: MIGRATIONS, keys: VAULT_USE, build: build(config) }, config)
