import {
  createServiceClient,
  startKeylessService,
  type KeylessServiceContext,
  type Running,
} from '@causeway/chassis'
import { createOnrampProvider } from '@causeway/rails'
import { fileURLToPath } from 'node:url'
import { createPayments } from './clients/payments.ts'
import type { OnrampConfig } from './config.ts'
import { startDeadlines } from './orders/jobs/deadlines.ts'
import { createFinalCheck } from './orders/jobs/final-check.ts'
import { startPoller } from './orders/jobs/poll-provider.ts'
import { createStatusUpdates } from './orders/apply-provider-status.ts'
import { noticeOperations } from './notices/operations.ts'
import { orderOperations } from './orders/operations.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
/** Below the deadline of a request on the bus, and above the sandbox's `slow`. */
const PROVIDER_TIMEOUT_MS = 3_500
const PAYMENTS_TIMEOUT_MS = 2_000

const build = (config: OnrampConfig) => async (context: KeylessServiceContext) => {
  const { db, clock, log } = context
  const { account, publicBaseUrl } = config
  const provider = account && createOnrampProvider(account, { publicBaseUrl, timeoutMs: PROVIDER_TIMEOUT_MS })
  const payments = createPayments(createServiceClient({ ...context, timeoutMs: PAYMENTS_TIMEOUT_MS }))
  const statusUpdates = createStatusUpdates({ db, clock, onDue: () => deadlines.wake() })
  const finalCheck = createFinalCheck({ provider, statusUpdates, clock, log })
  const deadlines = startDeadlines(context, payments, finalCheck)
  const poller = provider && startPoller(context, { ...config, provider, statusUpdates })
  return {
    operations: [
      ...orderOperations({ ...config, db, payments, provider, statusUpdates }),
      ...noticeOperations({ db, clock, provider, statusUpdates }),
    ],
    async stop() {
      await Promise.all([deadlines.stop(), poller?.stop()])
      await provider?.close()
    },
  }
}

/** Starts the onramp service. */
export const startOnramp = (config: OnrampConfig): Promise<Running> =>
  startKeylessService({ name: 'onramp', migrations: MIGRATIONS, build: build(config) }, config)
