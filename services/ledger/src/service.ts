import {
  createCursors,
  createServiceClient,
  type KeylessServiceContext,
  type Running,
  type ServiceContext,
  type Vault,
} from '@causeway/chassis'
import { startService } from '@causeway/chassis/database'
import { createHmac } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { adjustmentOperations } from './adjustments/operations.ts'
import { balanceEntryOperations } from './balance-entries/operations.ts'
import { readCursorKey } from './balance-entries/store.ts'
import { startChainComparison } from './chain-balances/jobs/compare-chains.ts'
import { startComparison } from './comparison/jobs/compare-facts.ts'
import { VAULT_USE } from './columns.ts'
import type { LedgerConfig } from './config.ts'
import { startDailyTotals, startTotalsPurge } from './daily-totals/jobs/add-postings.ts'
import { dailyTotalOperations } from './daily-totals/operations.ts'
import { startAnnouncingNegatives } from './negative-balances/jobs/announce.ts'
import { startTakeOver } from './payouts/jobs/take-over.ts'
import { payoutOperations } from './payouts/operations.ts'
import { payoutRunOperations } from './payout-runs/operations.ts'
import { startSchedules } from './payout-schedule/jobs/run-due.ts'
import { payoutScheduleOperations } from './payout-schedule/operations.ts'
import { startFileErasure } from './payment-files/jobs/erase-files.ts'
import { paymentFileOperations } from './payment-files/operations.ts'
import { orderSettlementOperations } from './order-settlements/operations.ts'
import { startTransfers } from './payout-transfers/jobs/follow-transfers.ts'
import { createRuleOut, payoutTransferOperations } from './payout-transfers/operations.ts'
import { paidOutOperations } from './paid-out/operations.ts'
import { startWalletKeeping } from './payout-wallets/jobs/keep-wallets.ts'
import { payoutWalletOperations } from './payout-wallets/operations.ts'
import { startPostDue } from './posting/jobs/post-due.ts'
import { startPayoutMatching } from './bank-statements/jobs/match-payouts.ts'
import { bankStatementOperations } from './bank-statements/operations.ts'
import { bookOperations } from './books/operations.ts'
import { consumeFacts } from './facts/reactions.ts'
import { createImport } from './import-files/import-file.ts'
import { startFilePurge } from './import-files/jobs/purge-files.ts'
import { importFileOperations } from './import-files/operations.ts'
import { followRelationships } from './relationships/reactions.ts'
import { createRelationships } from './relationships/relationships.ts'
import { startReports } from './reports/jobs/make-reports.ts'
import { reportOperations } from './reports/operations.ts'
import { differenceOperations } from './differences/operations.ts'
import { startMatching } from './settlements/jobs/match-settlements.ts'
import { startPolling } from './settlements/jobs/poll-reports.ts'
import { settlementOperations } from './settlements/operations.ts'
import { startSealing } from './seals/jobs/seal-postings.ts'
import { reservePlanOperations } from './reserve-plans/operations.ts'
import { startSettlingReserves } from './reserves/jobs/settle-due.ts'
import { statementOperations } from './statements/operations.ts'
import { startVerification } from './verification/jobs/verify-books.ts'
import { withdrawalOperations } from './withdrawals/operations.ts'
import { walletOperations } from './wallets/operations.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))
const TIMEOUT_MS = 3_000

/** Cursors and URLs of reports are authenticated by a key of the database: they are older than the ledger's key ring. */
const openSigner = async ({ db }: KeylessServiceContext): Promise<Pick<Vault, 'mac'>> => {
  const row = await readCursorKey(db)
  if (row === null) throw new Error('The table cursor_key is empty')
  return {
    mac: (purpose, text) => createHmac('sha256', row.key).update(`${purpose}\n${text}`).digest(),
  }
}

type Own = Pick<
  LedgerConfig,
  | 'compareEveryMs'
  | 'chainCompareEveryMs'
  | 'publicBaseUrl'
  | 'walletRules'
  | 'cutOffMs'
  | 'settlement'
  | 'debtor'
>

const buildFor =
  ({ compareEveryMs, chainCompareEveryMs, publicBaseUrl, walletRules, cutOffMs, settlement, debtor }: Own) =>
  async (context: ServiceContext) => {
    const { db, vault } = context
    const ask = createServiceClient({ ...context, timeoutMs: TIMEOUT_MS })
    const relationships = createRelationships(db, ask, context.clock)
    const signer = await openSigner(context)
    const cursors = createCursors(signer)
    const making = startReports(context)
    const matching = startPayoutMatching(context)
    const importFile = createImport(context)
    const parts = [
      consumeFacts(context),
      followRelationships(context),
      startComparison({ ...context, ask }, compareEveryMs),
      startPostDue(context),
      startSealing(context),
      startVerification(context),
      startSettlingReserves(context),
      startAnnouncingNegatives(context),
      startDailyTotals(context),
      startTotalsPurge(context),
      startTakeOver({ ...context, ask }),
      startWalletKeeping(context),
      startFileErasure(context),
      startFilePurge(context),
      startSchedules({ ...context, ask, cutOffMs }),
      startMatching({ ...context, ask, ...settlement }),
      startPolling({ ...context, ask, pollMs: settlement.pollMs }),
      startTransfers({ ...context, ask }),
      startChainComparison({ ...context, ask, everyMs: chainCompareEveryMs }),
      making,
      matching,
    ]
    return {
      operations: [
        ...walletOperations(db, relationships),
        ...balanceEntryOperations(db, { relationships, cursors }),
        ...dailyTotalOperations(db),
        ...statementOperations(db, cursors),
        ...bookOperations(db, cursors),
        ...adjustmentOperations(db, cursors),
        ...reservePlanOperations(db),
        ...settlementOperations({ db, importFile }),
        ...orderSettlementOperations(db),
        ...differenceOperations(db, cursors),
        ...payoutOperations({ db, cursors, ruleOut: createRuleOut({ db, ask }) }),
        ...payoutTransferOperations({ db, ask }),
        ...paymentFileOperations({
          db,
          vault,
          cursors,
          signer,
          publicBaseUrl,
          debtor,
          onUploaded: matching.wake,
        }),
        ...bankStatementOperations({ importFile, onImported: matching.wake }),
        ...importFileOperations(db),
        ...payoutRunOperations({ db, cursors, ask }),
        ...payoutScheduleOperations({ db, relationships, cutOffMs }),
        ...withdrawalOperations({ db, ask, relationships }),
        ...paidOutOperations(db, { relationships, cursors }),
        ...payoutWalletOperations({
          ...{ db, vault, ask, relationships, cursors, publicBaseUrl },
          rules: walletRules,
        }),
        ...reportOperations(db, { relationships, signer, publicBaseUrl, onQueued: making.wake }),
      ],
      async stop() {
        await Promise.all(parts.map((part) => part.stop()))
      },
    }
  }

/** Starts the ledger. The books hold ids and amounts; it encrypts where payouts go. */
export const startLedger = (config: LedgerConfig): Promise<Running> =>
  startService({ name: 'ledger', migrations: MIGRATIONS, keys: VAULT_USE, build: buildFor(config) }, config)
