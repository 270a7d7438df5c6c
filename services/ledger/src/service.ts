import {
  startKeylessService,
  type KeylessServiceContext,
  type Running,
  type ServiceConfig,
} from '@causeway/chassis'
import { fileURLToPath } from 'node:url'
import { startPostDue } from './books/jobs/post-due.ts'
import { consumeFacts } from './facts/reactions.ts'
import { startVerification } from './verification/jobs/verify-books.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

const build = (context: KeylessServiceContext) => {
  const parts = [consumeFacts(context), startPostDue(context), startVerification(context)]
  return Promise.resolve({
    operations: [],
    async stop() {
      await Promise.all(parts.map((part) => part.stop()))
    },
  })
}

/** Starts the ledger. It encrypts nothing: the books hold ids and amounts. */
export const startLedger = (config: ServiceConfig): Promise<Running> =>
  startKeylessService({ name: 'ledger', migrations: MIGRATIONS, build }, config)
