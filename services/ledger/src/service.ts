import {
  createCursors,
  createServiceClient,
  type KeylessServiceContext,
  type Running,
  type Vault,
} from '@causeway/chassis'
import { startKeylessService } from '@causeway/chassis/database'
import { createHmac } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { adjustmentOperations } from './adjustments/operations.ts'
import { balanceEntryOperations } from './balance-entries/operations.ts'
import { readCursorKey } from './balance-entries/store.ts'
import { startComparison } from './comparison/jobs/compare-facts.ts'
import type { LedgerConfig } from './config.ts'
import { startTakeOver } from './payouts/jobs/take-over.ts'
import { payoutOperations } from './payouts/operations.ts'
import { paidOutOperations } from './paid-out/operations.ts'
import { startPostDue } from './posting/jobs/post-due.ts'
import { bookOperations } from './books/operations.ts'
import { consumeFacts } from './facts/reactions.ts'
import { followRelationships } from './relationships/reactions.ts'
import { createRelationships } from './relationships/relationships.ts'
import { startReports } from './reports/jobs/make-reports.ts'
import { reportOperations } from './reports/operations.ts'
import { startSealing } from './seals/jobs/seal-postings.ts'
import { statementOperations } from './statements/operations.ts'
import { startVerification } from './verification/jobs/verify-books.ts'
import { walletOperations } from './wallets/operations.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
const TIMEOUT_MS = 3_000

/** Cursors and URLs of reports are authenticated by a key of the database, because the ledger has no key ring. */
const openSigner = async ({ db }: KeylessServiceContext): Promise<Pick<Vault, 'mac'>> => {
  const row = await readCursorKey(db)
  if (row === null) throw new Error('The table cursor_key is empty')
  return {
    mac: (purpose, text) => createHmac('sha256', row.key).update(`${purpose}\n${text}`).digest(),
  }
}

type Own = Pick<LedgerConfig, 'compareEveryMs' | 'publicBaseUrl'>

const buildFor =
  ({ compareEveryMs, publicBaseUrl }: Own) =>
  async (context: KeylessServiceContext) => {
    const { db } = context
    const ask = createServiceClient({ ...context, timeoutMs: TIMEOUT_MS })
    const relationships = createRelationships(db, ask)
    const signer = await openSigner(context)
    const cursors = createCursors(signer)
    const making = startReports(context)
    const parts = [
      consumeFacts(context),
      followRelationships(context),
      startComparison({ ...context, ask }, compareEveryMs),
      startPostDue(context),
      startSealing(context),
      startVerification(context),
      startTakeOver({ ...context, ask }),
      making,
    ]
    return {
      operations: [
        ...walletOperations(db, relationships),
        ...balanceEntryOperations(db, { relationships, cursors }),
        ...statementOperations(db, cursors),
        ...bookOperations(db, cursors),
        ...adjustmentOperations(db),
        ...payoutOperations(db, cursors),
        ...paidOutOperations(db, { relationships, cursors }),
        ...reportOperations(db, { relationships, signer, publicBaseUrl, onQueued: making.wake }),
      ],
      async stop() {
        await Promise.all(parts.map((part) => part.stop()))
      },
    }
  }

/** Starts the ledger. It encrypts nothing: the books hold ids and amounts. */
export const startLedger = (config: LedgerConfig): Promise<Running> =>
  startKeylessService({ name: 'ledger', migrations: MIGRATIONS, build: buildFor(config) }, config)
