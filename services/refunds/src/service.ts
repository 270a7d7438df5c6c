import { startService, type ServiceContext, type Running } from '@causeway/chassis'
import { cardProcessorOf, createCardProcessors } from '@causeway/rails'
import { fileURLToPath } from 'node:url'
import { createPayments } from './clients/payments.ts'
import type { RefundsConfig } from './config.ts'
import { startSealDescriptions } from './refunds/jobs/seal-descriptions.ts'
import { startRefundCompletion } from './refunds/jobs/finish-refunds.ts'
import { startReconciliation } from './reconciliation/jobs/reconcile.ts'
import { createClaim } from './refunds/claim.ts'
import { createComparison } from './reconciliation/compare.ts'
import { createDifferences } from './reconciliation/differences.ts'
import { createValidation } from './refunds/validation.ts'
import { reconciliationOperations } from './reconciliation/operations.ts'
import { createLateSuccess } from './reconciliation/late-success.ts'
import { createExternalRefunds } from './reconciliation/external-refund.ts'
import { createRefundTransitions } from './refunds/transitions.ts'
import { refundOperations } from './refunds/operations.ts'
import { followCountedRefunds } from './reconciliation/reactions.ts'
import { VAULT_USE } from './sealed-columns.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
/** Below the deadline of a request on the bus. */
const CARD_TIMEOUT_MS = 3_500
const PAYMENTS_TIMEOUT_MS = 2_000
/** Longer than a call can last: reading and asking the processor, and payments twice. */
const GRACE_MS = 15_000

const build = (config: RefundsConfig) => async (context: ServiceContext) => {
  const { bus, clock, db, log, vault } = context
  const processors = createCardProcessors({
    ...config.cards,
    timeoutMs: CARD_TIMEOUT_MS,
    publicBaseUrl: null,
  })
  const processorOf = (key: string) => cardProcessorOf(processors, key)
  const payments = createPayments({ bus, clock, timeoutMs: PAYMENTS_TIMEOUT_MS })
  const transitions = createRefundTransitions({ db, clock, log, vault, payments, processorOf })
  const claim = createClaim({ db, clock, log, graceMs: GRACE_MS, dailyLimitCents: config.dailyLimitCents })
  const validate = createValidation({ clock, payments, processorOf, claim })
  const completion = startRefundCompletion(context, transitions)
  const onBusy = completion.wake
  const record = createExternalRefunds(context)
  const counted = followCountedRefunds(context, record)
  const sealing = startSealDescriptions(context)
  const differences = createDifferences(context)
  const reconciliation = startReconciliation(context, {
    processors,
    schedule: config.reconciliation,
    comparison: createComparison({
      db,
      clock,
      payments,
      processorOf,
      differences,
      record,
      recordLateSuccess: createLateSuccess({ ...context, payments }),
    }),
    differences,
  })
  return {
    operations: [
      ...refundOperations(context, { payments, validate, transitions, graceMs: GRACE_MS, onBusy }),
      ...reconciliationOperations(context, [...processors.keys()]),
    ],
    async stop() {
      await Promise.all([completion.stop(), counted.stop(), sealing.stop(), reconciliation.stop()])
      await Promise.all([...processors.values()].map((processor) => processor.close()))
    },
  }
}

/** Starts the refunds service. */
export const startRefunds = (config: RefundsConfig): Promise<Running> =>
  startService({ name: 'refunds', migrations: MIGRATIONS, keys: VAULT_USE, build: build(config) }, config)
