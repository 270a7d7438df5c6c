import { createServiceClient, type Running, type ServiceContext } from '@causeway/chassis'
import { startService } from '@causeway/chassis/database'
import { cardProcessorOf, openCardProcessors } from '@causeway/rails/cards'
import { fileURLToPath } from 'node:url'
import { createPayments } from './clients/payments.ts'
import type { RefundsConfig } from './config.ts'
import { startSealDescriptions } from './refunds/jobs/seal-descriptions.ts'
import { createMarkSent } from './refunds/mark-sent.ts'
import { createProcessorRequests } from './refunds/processor-requests.ts'
import { startRefundCompletion } from './refunds/jobs/complete-refunds.ts'
import { startReconciliation } from './reconciliation/jobs/reconcile.ts'
import { createComparison } from './reconciliation/compare-refunds.ts'
import { createDifferences } from './reconciliation/differences.ts'
import { createValidation } from './refunds/validation.ts'
import { reconciliationOperations } from './reconciliation/operations.ts'
import { createLateFailures } from './reconciliation/late-failure.ts'
import { createLateSuccess } from './reconciliation/late-success.ts'
import { createExternalRefunds } from './reconciliation/external-refund.ts'
import { createRefundTransitions } from './refunds/transitions.ts'
import { refundOperations } from './refunds/operations.ts'
import { consumeCountedRefunds } from './reconciliation/reactions.ts'
import { VAULT_USE } from './columns.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
/** Shorter than the deadline of a request on the bus. */
const CARD_TIMEOUT_MS = 3_500
const PAYMENTS_TIMEOUT_MS = 2_000
/** Longer than a call can last, with timeouts of factor 1: two requests to the processor and two to payments. */
const GRACE_MS = 15_000

const build = (config: RefundsConfig) => async (context: ServiceContext) => {
  const { clock, db, log, vault, timeoutFactor } = context
  const graceMs = GRACE_MS * timeoutFactor
  const processors = await openCardProcessors({
    ...config.cards,
    timeoutMs: CARD_TIMEOUT_MS * timeoutFactor,
  })
  const processorOf = (key: string) => cardProcessorOf(processors, key)
  const payments = createPayments(createServiceClient({ ...context, timeoutMs: PAYMENTS_TIMEOUT_MS }))
  const transitions = createRefundTransitions({ db, clock, payments })
  const requests = createProcessorRequests({ log, vault, transitions, processorOf })
  const { dailyLimitCents } = config
  const markSent = createMarkSent({ db, clock, log, graceMs, dailyLimitCents })
  const validate = createValidation({ clock, payments, processorOf, markSent })
  const completion = startRefundCompletion(context, { transitions, requests })
  const recordExternal = createExternalRefunds(context)
  const lateFailures = createLateFailures({ ...context, payments })
  const counted = consumeCountedRefunds(context, recordExternal, lateFailures)
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
      recordExternal,
      recordLateSuccess: createLateSuccess({ ...context, payments }),
      recordLateFailure: lateFailures.recordListed,
    }),
    differences,
  })
  return {
    operations: [
      ...refundOperations(context, {
        payments,
        validate,
        transitions,
        requests,
        graceMs,
        wakeCompletion: completion.wake,
      }),
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
