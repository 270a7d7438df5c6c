import { z } from 'zod'
import { get } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { OrderKey } from '../payments/fiat-orders.ts'
import {
  cursorParameter,
  idOf,
  limitParameter,
  NextCursor,
  optionalText,
  Timestamp,
  TimestampInput,
} from '../primitives.ts'
import { BalanceName, EntryKind } from './balance-entries.ts'
import { LedgerAmount, LedgerUnit } from './units.ts'

const AccountClass = z.enum(['asset', 'liability', 'income', 'cost'])
const AccountId = z
  .string()
  .regex(/^[1-9]\d{0,17}$/)
  .meta({ description: 'Number of the account' })

/** An account in one unit (decisions §47). */
export const LedgerAccount = z.object({
  account_id: AccountId,
  account: z.string(),
  unit: z.string(),
  class: AccountClass,
  /** The relationship or partner that it belongs to, and which of its balances it is. */
  owner_id: z.string().nullable(),
  balance: BalanceName.nullable(),
  /** Null for accounts without an owner: the trial balance has them. */
  amount: LedgerAmount.nullable(),
})
export type LedgerAccount = z.infer<typeof LedgerAccount>

const ofOrder = { order_key: OrderKey.nullable(), order_id: z.string().nullable() }

/** One side of a transfer, positive on the account's usual side: debits of assets and costs, credits of others. */
export const AccountEntry = z.object({
  journal_id: idOf('journal'),
  line: z.number().int(),
  amount: LedgerAmount,
  /** The other account of the transfer. */
  other_account: z.string(),
  ...ofOrder,
  effective_at: Timestamp,
  recorded_at: Timestamp,
})
export type AccountEntry = z.infer<typeof AccountEntry>

/** A posting with its transfers. */
export const JournalEntry = z.object({
  journal_id: idOf('journal'),
  /** Id of the fact that it posts. */
  source: z.string(),
  rule: z.string(),
  ...ofOrder,
  reverses: idOf('journal').nullable(),
  estimated: z.boolean(),
  effective_at: Timestamp,
  recorded_at: Timestamp,
  transfers: z.array(
    z.object({
      line: z.number().int(),
      debit: z.string(),
      credit: z.string(),
      unit: z.string(),
      amount: LedgerAmount,
      entries: z.array(z.object({ account: z.string(), kind: EntryKind, amount: LedgerAmount })),
    }),
  ),
})
export type JournalEntry = z.infer<typeof JournalEntry>

/** Debits and credits of a unit; `difference` is 0 in every state of the books. */
export const UnitTrialBalance = z.object({
  unit: z.string(),
  debits: LedgerAmount,
  credits: LedgerAmount,
  difference: LedgerAmount,
  accounts: z.array(z.object({ account: z.string(), class: AccountClass, balance: LedgerAmount })),
})

/**
 * Conditions that staff look into: `negative_balance` (an owner owes), `estimated_dispute` (its amount is not confirmed),
 * `overdue` (a release that is due for a minute); a fact on which the books and its source differ and that staff have not
 * accepted (`fact_absent` at the source, `fact_differs`, `fact_refused` by the books); `not_compared` (the facts of a source,
 * for five minutes).
 */
const LEDGER_EXCEPTION_KINDS = [
  'negative_balance',
  'estimated_dispute',
  'overdue',
  'fact_absent',
  'fact_differs',
  'fact_refused',
  'not_compared',
] as const

export const LedgerException = z.object({
  kind: z.enum(LEDGER_EXCEPTION_KINDS),
  /** Account, id of the fact, or service that sends facts. */
  subject: z.string(),
  unit: z.string().nullable(),
  amount: LedgerAmount.nullable(),
  ...ofOrder,
  since: Timestamp.nullable(),
})
export type LedgerException = z.infer<typeof LedgerException>

const staff = { role: 'viewer', tag: 'Ledger', caller: 'operator' } as const

/** `ledger.books`: the books as staff read them (decisions §48). */
export const ledgerBooks = resource('ledger.books', {
  listAccounts: operation({
    ...staff,
    operationId: 'listLedgerAccounts',
    http: get('/ledger/accounts'),
    summary: 'List the accounts of the books, oldest first',
    description: 'Use it to find an account: `owner_id` lists those of a relationship or partner.',
    query: z.object({
      unit: LedgerUnit.optional(),
      owner_id: optionalText(100).optional(),
      limit: limitParameter(50, 100),
      cursor: cursorParameter,
    }),
    reply: z.object({ accounts: z.array(LedgerAccount), next_cursor: NextCursor }),
    refusals: ['invalid_cursor'],
  }),
  listAccountEntries: operation({
    ...staff,
    operationId: 'listLedgerAccountEntries',
    http: get('/ledger/accounts/:accountId/entries'),
    summary: 'Get an account with its entries, newest first',
    description:
      'Use it to see what moved through an account. A page may have fewer entries than `limit`, or none, while there is a `next_cursor`.',
    params: z.object({ accountId: AccountId }),
    query: z.object({ limit: limitParameter(50, 100), cursor: cursorParameter }),
    reply: z.object({ account: LedgerAccount, entries: z.array(AccountEntry), next_cursor: NextCursor }),
    refusals: ['resource_not_found', 'invalid_cursor'],
  }),
  getJournal: operation({
    ...staff,
    operationId: 'getLedgerJournal',
    http: get('/ledger/journal/:journalId'),
    summary: 'Get a posting with its transfers',
    description: 'Use it to see both sides of an entry, and the fact that caused it.',
    params: z.object({ journalId: idOf('journal') }),
    reply: z.object({ journal: JournalEntry }),
    refusals: ['resource_not_found'],
  }),
  getTrialBalance: operation({
    ...staff,
    operationId: 'getTrialBalance',
    http: get('/ledger/trial-balance'),
    summary: 'Get the trial balance of each unit at an instant',
    description:
      'Use it to prove that the books balance: `difference` is 0 in every unit. Accounts of relationships, partners and merchants are summed by balance, such as `relationships:available`.',
    query: z.object({
      at: TimestampInput.optional().meta({ description: 'Instant of `recorded_at`; default: now' }),
    }),
    reply: z.object({ as_of: Timestamp, units: z.array(UnitTrialBalance) }),
  }),
  listExceptions: operation({
    ...staff,
    operationId: 'listLedgerExceptions',
    http: get('/ledger/exceptions'),
    summary: 'List what staff should look into, at most 100 of each kind',
    description:
      'Use it daily: owners with a negative balance, disputes with an estimated amount, releases that are overdue, facts on which the books and their source differ, and sources that are not compared.',
    reply: z.object({ exceptions: z.array(LedgerException) }),
  }),
})
