import { createRowSpace, type RowSpace } from '@causeway/chassis/exploration'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { postingsOf } from '../../src/posting/rules.ts'
import { EXPLORED_BOOKS, MIGRATIONS } from '../fixtures/books.ts'
import { eventOf, explorePosting, post, stream, type Mutant, type Scope } from './posting-machine.ts'
import { FACTS } from './posting-world.ts'

/** Accounts exist before the exploration, because an identity would differ in each history. */
const accounts = new Set(
  FACTS.flatMap(postingsOf).flatMap(({ transfers }) =>
    transfers.flatMap(({ debit, credit, unit }) =>
      [debit, credit].map(({ name, class: accountClass, ownerId, balance }) =>
        [name, unit, accountClass, ownerId, balance]
          .map((value) => (value === null ? 'NULL' : `'${value}'`))
          .join(', '),
      ),
    ),
  ),
)
const SEED = `INSERT INTO books.accounts (name, unit, class, owner_id, balance) VALUES ${[...accounts].map((row) => `(${row})`).join(', ')}`

const openSpace = (seed = SEED): Promise<RowSpace> =>
  createRowSpace(
    { name: 'ledger', migrations: MIGRATIONS },
    [
      ...EXPLORED_BOOKS,
      { name: 'books.scheduled', orderBy: 'source' },
      { name: 'received_facts', orderBy: 'fact_id' },
      { name: 'fact_differences', orderBy: 'fact_id' },
    ],
    seed,
  )

let space: RowSpace
beforeAll(async () => {
  space = await openSpace()
})
afterAll(() => space.close())

const ONE_FAULT = { workers: ['worker1', 'worker2'], faults: 1 } as const
const RELEASED = { workers: ['worker1', 'releases'], faults: 2 } as const

const SCOPES: readonly [string, Scope, number][] = [
  ['two workers, one fault', ONE_FAULT, 3_092],
  ['a worker and the releases, two faults', RELEASED, 3_620],
  ['a worker and the comparison, one fault', { workers: ['worker1', 'comparing'], faults: 1 }, 1_330],
]
/** `EXPLORATION=long` adds what takes a minute. */
const LONG_SCOPES: readonly [string, Scope, number][] = [
  [
    'two workers and the releases, one fault',
    { workers: ['worker1', 'worker2', 'releases'], faults: 1 },
    95_924,
  ],
]
const isLong = process.env['EXPLORATION'] === 'long'

test.each([...SCOPES, ...(isLong ? LONG_SCOPES : [])])(
  'gives the same books in every order: %s',
  async (_, scope, states) => {
    const found = await explorePosting(space, scope)
    expect({ ...found.violation, states: found.states, isExhausted: found.isExhausted }).toEqual({
      states,
      isExhausted: true,
    })
  },
)

const MUTANTS: readonly [string, Mutant, Scope, string][] = [
  [
    'acknowledges events before it posts them',
    {
      worker: async (outside) => {
        const places = await stream.deliver(outside)
        await stream.acknowledge(outside, places)
        await post(
          outside,
          places.map((place) => eventOf(place)),
        )
      },
    },
    ONE_FAULT,
    'acknowledged-is-posted',
  ],
  [
    'posts an event under the id of its delivery',
    {
      worker: async (outside, name) => {
        const places = await stream.deliver(outside)
        const facts = places.map((place) => FACTS[place]).filter((fact) => fact !== undefined)
        await post(outside, [
          ...facts.map((fact, at) => eventOf(at, fact)),
          ...facts.map((fact, at) => eventOf(at, { ...fact, fact_id: `${fact.fact_id} of ${name}` })),
        ])
        await stream.acknowledge(outside, places)
      },
    },
    ONE_FAULT,
    'same-books',
  ],
  [
    'stores receipts without the first posting of a batch',
    { statement: { statement: 'books.post', from: '$2::jsonb', to: '$2::jsonb - 0' } },
    ONE_FAULT,
    'receipt-with-its-posting',
  ],
  [
    'posts no release',
    { statement: { statement: 'books.post-due', from: '$2::integer', to: '$2::integer - 1' } },
    RELEASED,
    'same-books',
  ],
]

test.each(MUTANTS)('catches a mutant that %s', async (_, mutant, scope, rule) => {
  expect((await explorePosting(space, scope, mutant)).violation?.rule).toBe(rule)
})

/** The function that posts, with another text. */
const withFunction = (from: string, to: string): string => `
  DO $mutant$
  DECLARE
    shipped text := pg_get_functiondef('books.post(jsonb, jsonb, timestamptz)'::regprocedure);
  BEGIN
    IF position('${from}' IN shipped) = 0 THEN RAISE EXCEPTION 'books.post has another text'; END IF;
    EXECUTE replace(shipped, '${from}', '${to}');
  END $mutant$;
  ${SEED}`

test.each([
  [
    'keeps a release scheduled that it posts',
    'AND s.source = f.source AND s.rule = f.rule',
    'AND s.source = f.source AND s.rule = f.source',
    'release-follows',
  ],
  [
    'forgets the balance before a batch',
    'amount = b.amount + excluded.amount',
    'amount = excluded.amount',
    'balances-are-sums',
  ],
])('catches a posting function that %s', async (_, from, to, rule) => {
  const other = await openSpace(withFunction(from, to))
  try {
    expect((await explorePosting(other, RELEASED)).violation?.rule).toBe(rule)
  } finally {
    await other.close()
  }
})
