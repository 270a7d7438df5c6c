import { judgePlans, type PlanAllowances, type TableShapes } from '@causeway/chassis/testing'
import { expect, test } from '@jest/globals'
import type { Client } from 'pg'
import { SHAPES } from './shapes.ts'

const MERGED = 'it merges a page of each kind and account of an owner, read by an index'
const OF_AN_ORDER = 'an order has few postings'
const OF_A_POSTING = 'a posting that is taken back has few entries'

const ALLOWANCES: PlanAllowances = {
  'balance-entries.list': { may: ['sorts', 'costs'], because: MERGED },
  'balance-entries.list-of-partner': { may: ['sorts', 'costs'], because: MERGED },
  'balance-entries.list-of-merchant': { may: ['sorts', 'costs'], because: MERGED },
  'balance-entries.list-of-order': { may: ['sorts'], because: OF_AN_ORDER },
  'balance-entries.list-of-partner-order': { may: ['sorts'], because: OF_AN_ORDER },
  'balance-entries.list-of-merchant-order': { may: ['sorts'], because: OF_AN_ORDER },
  'books.accounts-of-owner': { may: ['sorts'], because: 'an owner has few accounts' },
  'books.exceptions': {
    may: ['reads all', 'costs'],
    because: 'staff ask for it: an index would cost every posting',
  },
  'books.sides-of-account': {
    may: ['costs', 'collects'],
    because: 'it reads at most 20,000 postings, which the planner does not know',
  },
  'payout-runs.balances': {
    may: ['sorts', 'costs', 'collects'],
    because: 'staff ask for it: an index of the balances that are not 0 would cost every posting',
  },
  'paid-out.entries-of-merchant': { may: ['sorts'], because: OF_A_POSTING },
  'paid-out.entries': { may: ['sorts'], because: OF_A_POSTING },
  'reports.account-periods': {
    may: ['costs', 'collects'],
    because: 'it reads two entries of each kind and account of a partner, each by an index',
  },
  'reports.claim': { may: ['reads all'], because: 'it reads the partial index of the reports that wait' },
  'reserves.orders': {
    may: ['costs', 'collects', 'sorts'],
    because:
      'it groups at most 1,000 entries after the last one considered, by their numbers, and 1,000 reserves',
  },
  'wallets.list': {
    may: ['costs'],
    because: 'it looks at the releases of one owner that are due within 48 hours',
  },
  'wallets.list-of-partner': { may: ['costs'], because: 'as above' },
}

/** Statements of requests; a payout first settles reserves. The others work on the whole books, in the background. */
const OF_REQUESTS =
  /^((adjustments|balance-entries|books|cursor-key|order-settlements|paid-out|payout-runs|payouts|relationships|reports|reserve-plans|statements|wallets)\.|daily-totals\.of-|reserves\.(?!due )|seals\.(closing|last|leaf-hashes|lines-of-accounts|list)$)/

/** Tables that these statements do not read. */
const shapesOfOthers = async (client: Client): Promise<TableShapes> => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT CASE nspname WHEN 'public' THEN relname ELSE nspname || '.' || relname END AS name
     FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
     WHERE relkind = 'r' AND nspname IN ('public', 'books')`,
  )
  const others = rows.filter(({ name }) => !(name in SHAPES))
  return Object.fromEntries(others.map(({ name }) => [name, { rows: 1_000, bytes: 100 }]))
}

test('reads at most a page in every statement of requests, at 10,000,000 entries', async () => {
  const judged = await judgePlans({
    service: new URL('../../', import.meta.url),
    shapes: SHAPES,
    allowances: ALLOWANCES,
    prepare: shapesOfOthers,
  })
  const ofRequests = (found: readonly string[]) => found.filter((each) => OF_REQUESTS.test(each))
  expect([ofRequests(judged.faults), ofRequests(judged.unneeded)]).toEqual([[], []])
})
