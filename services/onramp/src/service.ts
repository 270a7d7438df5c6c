import { createServiceClient, type KeylessServiceContext, type Running } from '@causeway/chassis'
import { startKeylessService } from '@causeway/chassis/database'
import { createOnrampProvider } from '@causeway/rails/onramps'
import { fileURLToPath } from 'node:url'
import { createOnrampHolds } from './clients/payments.ts'
import type { OnrampConfig } from './config.ts'
import { startDueSteps } from './orders/jobs/perform-due-steps.ts'
import { createFinalCheck } from './orders/final-check.ts'
import { startPoller } from './orders/jobs/poll-provider.ts'
import { createStatusUpdates } from './orders/apply-provider-status.ts'
import { noticeOperations } from './notices/operations.ts'
import { orderOperations } from './orders/operations.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
/** Shorter than the deadline of a request on the bus, longer than the sandbox's `slow` fault. */
const PROVIDER_TIMEOUT_MS = 3_500
const PAYMENTS_TIMEOUT_MS = 2_000

const build = (config: OnrampConfig) => async (context: KeylessServiceContext) => {
  const { db, clock, log, timeoutFactor } = context
  const { account, publicBaseUrl } = config
  const timeoutMs = PROVIDER_TIMEOUT_MS * timeoutFactor
  const provider = account && createOnrampProvider(account, { publicBaseUrl, timeoutMs })
  const holds = createOnrampHolds(createServiceClient({ ...context, timeoutMs: PAYMENTS_TIMEOUT_MS }))
  const statusUpdates = createStatusUpdates({ db, clock, onDue: () => dueSteps.wake() })
  const finalCheck = createFinalCheck({ provider, statusUpdates, clock, log })
  const dueSteps = startDueSteps(context, { holds, finalCheck })
  const poller = provider && startPoller(context, { ...config, holds, provider, statusUpdates })
  return {
    operations: [
      ...orderOperations({ ...config, db, clock, holds, provider, statusUpdates }),
      ...noticeOperations({ db, clock, provider, statusUpdates }),
    ],
    async stop() {
      await Promise.all([dueSteps.stop(), poller?.stop()])
      await provider?.close()
    },
  }
}

/** Starts the onramp service. */
export const startOnramp = (config: OnrampConfig): Promise<Running> =>
  startKeylessService({ name: 'onramp', migrations: MIGRATIONS, build: build(config) }, config)
