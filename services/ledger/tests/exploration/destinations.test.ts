import type { Db, Transaction } from '@causeway/chassis'
import {
  createRowSpace,
  explore,
  type Invariant,
  type RowSpace,
  type StatementMutant,
  type Step,
} from '@causeway/chassis/exploration'
import { payoutWallets, type Operation } from '@causeway/contracts'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { askFees } from '../fixtures/fake-payments.ts'
import { adjustmentPosting } from '../../src/adjustments/adjustment.ts'
import { runDueSchedules } from '../../src/payout-schedule/jobs/run-due.ts'
import { payoutWalletOperations } from '../../src/payout-wallets/operations.ts'
import { activateDue, eraseDeleted } from '../../src/payout-wallets/store.ts'
import { takeStep } from '../../src/payouts/steps.ts'
import { postBatch, presentPostings } from '../../src/posting/post-facts.ts'
import { withdraw } from '../../src/withdrawals/operations.ts'
import { EXPLORED_BOOKS, MIGRATIONS } from '../fixtures/books.ts'
import { PARTNER, timeOf } from '../fixtures/facts.ts'
import { BANK, MERCHANT } from '../fixtures/payouts.ts'

const NOW = new Date(timeOf(1))
const EARNED = adjustmentPosting({ ownerId: MERCHANT, unit: 'EUR', amount: 100n }, 'adj_1', NOW)
const WALLET = 'pow_1'
/** A balance of 100, a destination whose waiting time is over and that nobody has vouched for, and a schedule that is due. */
const SEED = `
  INSERT INTO relationships (partner_customer_id, partner_id, merchant_id, status, grants, version)
  VALUES ('${MERCHANT}', '${PARTNER}', 'cus_1', 'active', '{payouts,payout_wallets,withdrawals}', 1);
  INSERT INTO payout_wallets (payout_wallet_id, partner_customer_id, kind, unit, masked, account_sealed, status, usable_from,
    created_at)
  VALUES ('${WALLET}', '${MERCHANT}', 'iban', 'EUR', 'DE 4242', 'sealed', 'waiting', '${timeOf(0)}', '${timeOf(0)}');
  INSERT INTO data_keys VALUES ('${WALLET}', 'sealed', '${timeOf(0)}');
  INSERT INTO payout_schedules (partner_customer_id, unit, interval, minimum, due_at, payout_wallet_id)
  VALUES ('${MERCHANT}', 'EUR', 'daily', 0, '${timeOf(1)}', '${WALLET}');
  INSERT INTO books.accounts (name, unit, class, owner_id, balance) VALUES ('suspense:EUR', 'EUR', 'asset', NULL, NULL),
    ('${MERCHANT}:available', 'EUR', 'liability', '${MERCHANT}', 'available'),
    ('${MERCHANT}:on_the_way', 'EUR', 'liability', '${MERCHANT}', 'on_the_way'), ('${BANK}', 'EUR', 'asset', NULL, NULL);
  SELECT books.post('[]', '${presentPostings([EARNED]).postings}', '${timeOf(0)}');`

let space: RowSpace
beforeAll(async () => {
  space = await createRowSpace(
    { name: 'ledger', migrations: MIGRATIONS },
    [
      ...EXPLORED_BOOKS,
      { name: 'books.payouts', orderBy: 'payout_id' },
      { name: 'books.payout_items', orderBy: 'payout_id, number' },
      { name: 'books.payout_steps', orderBy: 'payout_id, step' },
      { name: 'books.paid' },
      { name: 'relationships' },
      { name: 'data_keys' },
      { name: 'payout_wallets' },
      { name: 'payout_schedules' },
      { name: 'payouts', orderBy: 'payout_id' },
    ],
    SEED,
  )
})
afterAll(() => space.close())

type Work = (tx: Transaction) => Promise<unknown>
/** The database of operations that are given a transaction. */
const databaseOf = (tx: Transaction) =>
  ({ pooled: tx, transaction: (work: Work) => work(tx) }) as unknown as Db

const withdrawing =
  (payoutId: string): Work =>
  (tx) =>
    withdraw(
      tx,
      { payoutId, fee: 0n },
      {
        caller: { partnerId: PARTNER } as Parameters<typeof withdraw>[2]['caller'],
        params: { customerId: MERCHANT },
        body: { unit: 'EUR', amount_cents: 60, payout_wallet_id: WALLET },
        now: NOW,
      },
    )

/** An operation on the destination. */
const changing =
  (operation: Operation, body: object = {}): Work =>
  async (tx) => {
    const operations = payoutWalletOperations({
      db: databaseOf(tx),
      relationships: { refuseUngranted: () => Promise.resolve(null) },
      publicBaseUrl: 'https://api.example',
    } as unknown as Parameters<typeof payoutWalletOperations>[0])
    const found = operations.find((each) => each.operation === operation)
    const params = { customerId: MERCHANT, payoutWalletId: WALLET }
    return found?.handle({ caller: { partnerId: PARTNER }, params, body, now: NOW } as never)
  }

const EVENTS: Readonly<Record<string, Work>> = {
  'first withdrawal': withdrawing('pay_1'),
  'second withdrawal': withdrawing('pay_2'),
  'refund of 50': (tx) =>
    postBatch(
      tx,
      { postings: [adjustmentPosting({ ownerId: MERCHANT, unit: 'EUR', amount: -50n }, 'adj_refund', NOW)] },
      NOW,
    ),
  schedule: (tx) =>
    runDueSchedules({ db: databaseOf(tx), ask: askFees(), clock: { now: () => NOW }, cutOffMs: 0 }),
  confirmation: changing(payoutWallets.confirm),
  refusal: changing(payoutWallets.refuse, { reason: 'Not its own' }),
  deletion: changing(payoutWallets.delete),
}
/** Work that repeats: only what it changes is a new state. */
const JOBS: Readonly<Record<string, Work>> = {
  activation: (tx) => activateDue(tx, { now: NOW, limit: 10 }),
  erasure: (tx) => eraseDeleted(tx, { now: NOW, limit: 10 }),
}
const STEPS = ['sent', 'settled', 'cancelled', 'returned'] as const

/** `isPaidElsewhere`: a payout was made while its destination could not be used. */
type State = Readonly<{ rows: number; left: readonly string[]; isPaidElsewhere: boolean }>
type Row = Readonly<Record<string, unknown>>

const rowsOf = (rows: number, table: string): readonly Row[] => space.rowsOf(rows)[table] ?? []
const isUsable = (rows: number): boolean =>
  rowsOf(rows, 'payout_wallets').some(
    ({ status, deleted_at: deletedAt }) => status === 'active' && deletedAt === null,
  )
const sum = (rows: readonly Row[]): number => rows.reduce((total, { amount }) => total + Number(amount), 0)
const balanceOf = (rows: number, name: string): number => {
  const id = rowsOf(rows, 'books.accounts').find((account) => account['name'] === name)?.['id']
  const of = (side: string) => sum(rowsOf(rows, 'books.transfers').filter((each) => each[side] === id))
  return of('credit') - of('debit')
}

const RULES: readonly Invariant<State>[] = [
  {
    name: 'usable-destination',
    says: 'A payout is made only while its destination is active.',
    holds: ({ isPaidElsewhere }) => !isPaidElsewhere,
  },
  {
    name: 'account-is-known',
    says: 'The account of a payout that is upcoming or sent is not erased.',
    holds: ({ rows }) =>
      rowsOf(rows, 'payout_wallets').every(({ account_sealed: account }) => account !== null) ||
      rowsOf(rows, 'payouts').every(({ status }) => status !== 'upcoming' && status !== 'sent'),
  },
  {
    name: 'key-with-its-account',
    says: 'The key of an account is destroyed with the account.',
    holds: ({ rows }) =>
      rowsOf(rows, 'payout_wallets').every(
        ({ account_sealed: account }) => (account !== null) === (rowsOf(rows, 'data_keys').length === 1),
      ),
  },
  {
    name: 'covered',
    says: 'Withdrawals and schedules take the balance below zero only if a refund does.',
    holds: ({ rows }) =>
      balanceOf(rows, `${MERCHANT}:available`) >= 0 ||
      rowsOf(rows, 'books.journal').some(({ source }) => source === 'adj_refund'),
  },
  {
    name: 'paid-once',
    says: 'Payouts that are neither cancelled nor returned pay no more than was earned.',
    holds: ({ rows }) =>
      rowsOf(rows, 'payouts')
        .filter(({ status }) => status !== 'cancelled' && status !== 'returned')
        .reduce((total, { amount_cents: amount }) => total + Number(amount), 0) <= 100,
  },
  {
    name: 'same-payouts',
    says: 'Every payout is in the books, with the same amount.',
    holds: ({ rows }) => {
      const inBooks = rowsOf(rows, 'books.payouts').map(({ payout_id: id, amount }) => [id, amount])
      const payouts = rowsOf(rows, 'payouts').map(({ payout_id: id, amount_cents: amount }) => [id, amount])
      return JSON.stringify(inBooks) === JSON.stringify(payouts)
    },
  },
]

const exploreDestination = (events: readonly string[], mutant?: StatementMutant) =>
  explore<State>({
    initial: { rows: space.initial, left: events, isPaidElsewhere: false },
    async steps({ rows, left }) {
      const found: Step<State>[] = []
      const take = async (name: string, work: Work, rest = left) => {
        const { rows: next, answer } = await space.run(rows, name, work, mutant)
        if ('error' in answer) throw answer.error
        const isNew = rowsOf(next, 'payouts').length > rowsOf(rows, 'payouts').length
        found.push({ name, to: { rows: next, left: rest, isPaidElsewhere: isNew && !isUsable(rows) } })
      }
      for (const name of left)
        await take(
          name,
          EVENTS[name] as Work,
          left.filter((other) => other !== name),
        )
      for (const [name, work] of Object.entries(JOBS)) await take(name, work)
      for (const { payout_id: id } of rowsOf(rows, 'payouts'))
        for (const step of STEPS)
          await take(`${String(id)} is ${step}`, (tx) =>
            takeStep(
              tx,
              { payoutId: String(id), step, at: NOW, ...(step === 'settled' && { counterpart: BANK }) },
              NOW,
            ),
          )
      return found
    },
    invariants: RULES,
    maxStates: 50_000,
  })

test.each([
  [['first withdrawal', 'schedule', 'confirmation', 'deletion'], 528],
  [['first withdrawal', 'second withdrawal', 'confirmation', 'deletion'], 192],
  [['first withdrawal', 'refund of 50', 'confirmation', 'refusal'], 54],
])(
  'keeps its invariants in every order of %j, the jobs and every step of a payout',
  async (events, states) => {
    const found = await exploreDestination(events)
    expect({ ...found.violation, states: found.states, isExhausted: found.isExhausted }).toEqual({
      states,
      isExhausted: true,
    })
  },
)

test.each([
  [
    'pays at a deleted destination',
    'payout-schedule.lock-destination',
    'AND w.deleted_at IS NULL',
    '',
    'usable-destination',
  ],
  [
    'pays at a refused destination',
    'payout-schedule.lock-destination',
    "AND w.status = 'active'",
    '',
    'usable-destination',
  ],
  [
    'erases the account of a payout under way',
    'payout-wallets.erase-deleted',
    "IN ('upcoming', 'sent')",
    "IN ('upcoming')",
    'account-is-known',
  ],
  [
    'keeps the key of an erased account',
    'payout-wallets.erase-deleted',
    'due.payout_wallet_id\n',
    'due.payout_wallet_id AND false\n',
    'key-with-its-account',
  ],
])('catches a statement that %s', async (_, statement, from, to, rule) => {
  const found = await exploreDestination(
    ['first withdrawal', 'schedule', 'confirmation', 'refusal', 'deletion'],
    { statement, from, to },
  )
  expect(found.violation?.rule).toBe(rule)
})
