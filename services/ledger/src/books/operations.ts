import {
  BY_ID,
  implement,
  keysetList,
  refuse,
  reply,
  type Cursors,
  type Db,
  type Implementation,
} from '@causeway/chassis'
import {
  ENTRY_KINDS,
  ledgerBooks,
  type AccountEntry,
  type LedgerAccount,
  type LedgerException,
} from '@causeway/contracts'
import { NEWEST_ENTRY_FIRST } from '../balance-entries/entries.ts'
import { presentAmount } from '../posting/amounts.ts'
import { getTrialBalance } from '../verification/verify.ts'
import { journalIdOf } from '../posting/ids.ts'
import * as store from './reading-store.ts'

/** Postings that a page of an account without entries reads at most. */
const SCANNED_POSTINGS = 20_000n
const MAX_EXCEPTIONS = 100
/** Postings are due within this time (decisions §47). */
const WITHIN_MS = 60_000
/** The alert FactsNotCompared has the same bound. */
const COMPARED_WITHIN_MS = 300_000

const presentAccount = ({ id, name, amount, ownerId, ...row }: store.AccountRow): LedgerAccount => ({
  account_id: id,
  account: name,
  unit: row.unit,
  class: row.class,
  owner_id: ownerId,
  balance: row.balance,
  amount: amount === null ? null : presentAmount(row.unit, amount),
})

const presentSide =
  (account: store.AccountRow) =>
  (row: store.SideRow): AccountEntry => {
    const isUsualSide = row.isDebit === (account.class === 'asset' || account.class === 'cost')
    return {
      journal_id: journalIdOf(row),
      line: row.line,
      amount: presentAmount(account.unit, isUsualSide ? BigInt(row.amount) : -BigInt(row.amount)),
      other_account: row.otherAccount,
      order_key: row.orderKey,
      order_id: row.orderId,
      effective_at: row.effectiveAt.toISOString(),
      recorded_at: row.recordedAt.toISOString(),
    }
  }

const presentException = (row: store.ExceptionRow): LedgerException => ({
  kind: row.kind,
  subject: row.subject,
  unit: row.unit,
  amount: row.unit === null || row.amount === null ? null : presentAmount(row.unit, row.amount),
  order_key: row.orderKey,
  order_id: row.orderId,
  since: row.since?.toISOString() ?? null,
})

type Position = Readonly<{ seq: string; line: number; accountId: string }>

/** Reads a page of an account's transfers. `continuesAt`: where the scan ended before the page was full. */
const readSides = async (db: Db, account: store.AccountRow, position: Position, limit: number) => {
  const at = { accountId: account.id, line: position.line, limit: limit + 1 }
  if (account.ownerId !== null) {
    const rows = await store.listOwnedSides(db, { ...at, seq: position.seq, kinds: [...ENTRY_KINDS] })
    return { rows, continuesAt: null }
  }
  const end = BigInt((await store.getHead(db))?.seq ?? 0) + 1n
  const seq = BigInt(position.seq) < end ? BigInt(position.seq) : end
  const first = seq > SCANNED_POSTINGS ? seq - SCANNED_POSTINGS : 0n
  const rows = await store.listSides(db, { ...at, seq, first })
  const isScannedToItsEnd = rows.length <= limit && first > 0n
  return { rows, continuesAt: isScannedToItsEnd ? { seq: String(first), line: 0, accountId: '0' } : null }
}

/** `ledger.books` (decisions §48). */
export const bookOperations = (db: Db, cursors: Cursors): Implementation[] =>
  implement(ledgerBooks, {
    async listAccounts({ query: { unit = '', owner_id: ownerId, limit, cursor } }) {
      const list = keysetList(cursors, { name: `accounts:${JSON.stringify([unit, ownerId])}`, order: BY_ID })
      const position = list.after(cursor)
      if (position === null) return refuse('invalid_cursor')
      const page = { after: position.id === '' ? '0' : position.id, unit, limit: limit + 1 }
      const rows =
        ownerId === undefined
          ? await store.listAccounts(db, page)
          : await store.listOwnedAccounts(db, { ...page, ownerId })
      const { items, nextCursor } = list.page({
        rows,
        limit,
        present: presentAccount,
        positionOf: ({ id }) => ({ id }),
      })
      return reply({ accounts: items, next_cursor: nextCursor })
    },

    async listAccountEntries({ params: { accountId }, query: { limit, cursor } }) {
      const account = await store.getAccount(db, { id: accountId })
      if (account === null) return refuse('resource_not_found')
      const list = keysetList(cursors, { name: `account-entries:${accountId}`, order: NEWEST_ENTRY_FIRST })
      const position = list.after(cursor)
      if (position === null) return refuse('invalid_cursor')
      const { rows, continuesAt } = await readSides(db, account, position, limit)
      const { items, nextCursor } = list.page({
        rows,
        limit,
        present: presentSide(account),
        positionOf: ({ seq, line }) => ({ seq, line, accountId: '0' }),
      })
      return reply({
        account: presentAccount(account),
        entries: items,
        next_cursor: nextCursor ?? list.cursorAfter(continuesAt),
      })
    },

    async getJournal({ params: { journalId } }) {
      const row = await store.getPosting(db, { id: journalId })
      if (row === null) return refuse('resource_not_found')
      const transfers = await store.listTransfers(db, { seq: row.seq })
      return reply({
        journal: {
          journal_id: journalId,
          source: row.source,
          rule: row.rule,
          order_key: row.orderKey,
          order_id: row.orderId,
          reverses: row.reverses === null ? null : journalIdOf({ source: row.reverses, rule: 'fact' }),
          estimated: row.estimated,
          effective_at: row.effectiveAt.toISOString(),
          recorded_at: row.recordedAt.toISOString(),
          transfers: transfers.map(({ amount, entries, ...transfer }) => ({
            ...transfer,
            amount: presentAmount(transfer.unit, amount),
            entries: entries.map((entry) => ({
              ...entry,
              amount: presentAmount(transfer.unit, entry.amount),
            })),
          })),
        },
      })
    },

    async getTrialBalance({ query, now }) {
      const at = query.at === undefined ? now : new Date(query.at)
      const units = await getTrialBalance(db.pooled, at)
      return reply({
        as_of: at.toISOString(),
        units: units.map(({ unit, debits, credits, difference, accounts }) => ({
          unit,
          debits: presentAmount(unit, debits),
          credits: presentAmount(unit, credits),
          difference: presentAmount(unit, difference),
          accounts: accounts.map((each) => ({ ...each, balance: presentAmount(unit, each.balance) })),
        })),
      })
    },

    async listExceptions({ now }) {
      const ago = (ms: number) => new Date(now.getTime() - ms)
      const rows = await store.listExceptions(db, {
        before: ago(WITHIN_MS),
        comparedBefore: ago(COMPARED_WITHIN_MS),
        limit: MAX_EXCEPTIONS,
      })
      return reply({ exceptions: rows.map(presentException) })
    },
  })
