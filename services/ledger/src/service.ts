import {
  createServiceClient,
  startKeylessService,
  type KeylessServiceContext,
  type Running,
  type ServiceConfig,
} from '@causeway/chassis'
import { fileURLToPath } from 'node:url'
import { startPostDue } from './books/jobs/post-due.ts'
import { consumeFacts } from './facts/reactions.ts'
import { followRelationships } from './relationships/reactions.ts'
import { createRelationships } from './relationships/relationships.ts'
import { startSealing } from './seals/jobs/seal-postings.ts'
import { startVerification } from './verification/jobs/verify-books.ts'
import { walletOperations } from './wallets/operations.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
const ONBOARDING_TIMEOUT_MS = 3_000

const build = (context: KeylessServiceContext) => {
  const { db } = context
  const ask = createServiceClient({ ...context, timeoutMs: ONBOARDING_TIMEOUT_MS })
  const relationships = createRelationships(db, ask)
  const parts = [
    consumeFacts(context),
    followRelationships(context),
    startPostDue(context),
    startSealing(context),
    startVerification(context),
  ]
  return Promise.resolve({
    operations: [...walletOperations(db, relationships)],
    async stop() {
      await Promise.all(parts.map((part) => part.stop()))
    },
  })
}

/** Starts the ledger. It encrypts nothing: the books hold ids and amounts. */
export const startLedger = (config: ServiceConfig): Promise<Running> =>
  startKeylessService({ name: 'ledger', migrations: MIGRATIONS, build }, config)
