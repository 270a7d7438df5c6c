import { sessionScreen, type Screen, type UploadScreen } from '../../screen.ts'
import { listAccounts, showAccount, writeOff } from './accounts.ts'
import { adjust, showAdjustment } from './adjustments.ts'
import { closeDifference, showDifferences } from './differences.ts'
import { showJournal } from './journal.ts'
import { settlementReportUpload, showSettlementReports } from './settlement-reports.ts'
import { showTreasury } from './treasury.ts'
import { showTrialBalance } from './trial-balance.ts'
import { listWriteOffs } from './write-offs.ts'
import {
  accountPath,
  ACCOUNTS_PATH,
  ADJUSTMENTS_PATH,
  BOOKS_PATH,
  differencePath,
  DIFFERENCES_PATH,
  journalPath,
  SETTLEMENT_REPORTS_PATH,
  TREASURY_PATH,
  writeOffPath,
  WRITE_OFFS_PATH,
} from './words.ts'

/** The books as staff read and correct them (decisions §48). */
export const bookScreens: readonly Screen[] = [
  sessionScreen('console', { method: 'GET', path: BOOKS_PATH, answer: showTrialBalance }),
  sessionScreen('console', { method: 'GET', path: ACCOUNTS_PATH, answer: listAccounts }),
  sessionScreen('console', {
    method: 'GET',
    path: accountPath(':accountId'),
    answer: (request) => showAccount(request),
  }),
  sessionScreen('console', { method: 'POST', path: writeOffPath(':accountId'), answer: writeOff }),
  sessionScreen('console', { method: 'GET', path: WRITE_OFFS_PATH, answer: listWriteOffs }),
  sessionScreen('console', { method: 'GET', path: journalPath(':journalId'), answer: showJournal }),
  sessionScreen('console', {
    method: 'GET',
    path: ADJUSTMENTS_PATH,
    answer: (request) => Promise.resolve(showAdjustment(request)),
  }),
  sessionScreen('console', { method: 'POST', path: ADJUSTMENTS_PATH, answer: adjust }),
  sessionScreen('console', {
    method: 'GET',
    path: DIFFERENCES_PATH,
    answer: (request) => showDifferences(request),
  }),
  sessionScreen('console', {
    method: 'POST',
    path: `${differencePath(':ledgerDifferenceId')}/close`,
    answer: closeDifference,
  }),
  sessionScreen('console', { method: 'GET', path: TREASURY_PATH, answer: showTreasury }),
  sessionScreen('console', {
    method: 'GET',
    path: SETTLEMENT_REPORTS_PATH,
    answer: (request) => Promise.resolve(showSettlementReports(request)),
  }),
]

/** The forms of the books that have a file. */
export const bookUploads: readonly UploadScreen[] = [settlementReportUpload]
