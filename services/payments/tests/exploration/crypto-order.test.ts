import { createRowSpace, type RowSpace } from '@causeway/chassis/exploration'
import { CONFIRMATION_DEPTHS } from '@causeway/rails/networks'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { fileURLToPath } from 'node:url'
import { toTolerance } from '../../src/deposits/settlement.ts'
import { CRYPTO_SEED, exploreCryptoOrder, type CryptoScope, type Mutant } from './crypto-order-machine.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

let space: RowSpace
beforeAll(async () => {
  const tables = [
    'relationships',
    'crypto_orders',
    'crypto_deposits',
    'deposit_reversals',
    'unattributed_money',
    'order_refunds',
    'chain_feed',
  ]
  space = await createRowSpace(
    { name: 'payments', migrations: MIGRATIONS },
    [...tables.map((name) => ({ name })), { name: 'outbox_events', orderBy: 'seq', without: ['seq'] }],
    CRYPTO_SEED,
  )
})
afterAll(() => space.close())

const PLAIN: CryptoScope = {
  transactions: ['whole'],
  reorganisations: 0,
  isDeep: false,
  repeats: 0,
  faults: 0,
  actors: [],
}

const SCOPES: readonly [string, CryptoScope, number][] = [
  ['two reorganisations, a repeated entry', { ...PLAIN, reorganisations: 2, repeats: 1 }, 3_051],
  ['a reorganisation, also of what counts', { ...PLAIN, reorganisations: 1, isDeep: true }, 2_230],
  ['two transactions', { ...PLAIN, transactions: ['whole', 'half'] }, 2_249],
  ['cancelled, and sent back', { ...PLAIN, actors: ['cancel', 'sendBack'] }, 2_094],
  [
    'half, whose time ends, and which staff keep or apply',
    { ...PLAIN, transactions: ['half'], actors: ['underpaidExpiry', 'keep', 'apply'] },
    316,
  ],
  ['another asset, kept or applied', { ...PLAIN, transactions: ['foreign'], actors: ['keep', 'apply'] }, 567],
  ['two replicas, a fault', { ...PLAIN, faults: 1, actors: ['watcherB'] }, 3_258],
]

/** `EXPLORATION=long` adds what takes a minute. */
const LONG: typeof SCOPES = [
  [
    'half, kept, and taken back by a reorganisation',
    {
      ...PLAIN,
      transactions: ['half'],
      reorganisations: 1,
      isDeep: true,
      actors: ['underpaidExpiry', 'keep'],
    },
    5_023,
  ],
  [
    'another asset, applied and taken back',
    { ...PLAIN, transactions: ['foreign'], reorganisations: 1, isDeep: true, actors: ['apply'] },
    10_026,
  ],
  ['two reorganisations, also of what counts', { ...PLAIN, reorganisations: 2, isDeep: true }, 16_727],
  [
    'a late payment that is taken back from a cancelled order',
    { ...PLAIN, reorganisations: 1, isDeep: true, actors: ['cancel'] },
    10_817,
  ],
]
const isLong = process.env['EXPLORATION'] === 'long'

test.each([...SCOPES, ...(isLong ? LONG : [])])(
  'keeps the rules of a crypto order: %s',
  async (_, scope, states) => {
    const found = await exploreCryptoOrder(space, scope)
    expect({ ...found.violation, states: found.states, isExhausted: found.isExhausted }).toEqual({
      states,
      isExhausted: true,
    })
  },
)

const MUTANTS: readonly [string, Mutant, CryptoScope, string, number][] = [
  [
    'counts a deposit at first sight',
    {
      chain: (shipped) => ({
        ...shipped,
        deposits: async (query) => {
          const page = await shipped.deposits(query)
          const deposits = page.deposits.map((each) => ({ ...each, confirmations: CONFIRMATION_DEPTHS.BTC }))
          return { ...page, deposits }
        },
      }),
    },
    PLAIN,
    'counted-is-deep',
    5,
  ],
  [
    'adds what it counts to what it had',
    {
      statement: {
        statement: 'deposits.save-orders',
        from: 'received = s.received',
        to: 'received = o.received + s.received',
      },
    },
    { ...PLAIN, reorganisations: 1, isDeep: true },
    'received-is-exact',
    11,
  ],
  [
    'does not hear that a block is gone',
    {
      chain: (shipped) => ({
        ...shipped,
        deposits: async (query) => {
          const page = await shipped.deposits(query)
          return { ...page, deposits: page.deposits.filter(({ confirmations }) => confirmations > 0) }
        },
      }),
    },
    { ...PLAIN, reorganisations: 1, isDeep: true },
    'no-deposit-is-lost',
    8,
  ],
  [
    'takes half for all',
    { tolerance: toTolerance(0.6) },
    { ...PLAIN, transactions: ['half'] },
    'paid-with-money',
    6,
  ],
  [
    'expires every due order',
    { statement: { statement: 'orders.lock-due', from: "o.status = 'pending' AND", to: '' } },
    PLAIN,
    'allowed-ways',
    9,
  ],
  [
    'expires what it takes for underpaid',
    {
      statement: {
        statement: 'deposits.lock-underpaid-orders',
        from: "o.status = 'underpaid' AND",
        to: '',
      },
    },
    { ...PLAIN, transactions: ['whole', 'half'], actors: ['underpaidExpiry'] },
    'allowed-ways',
    15,
  ],
  [
    'forgets what staff have kept',
    {
      statement: {
        statement: 'deposits.list-of-orders',
        from: "NOT IN ('counted', 'reverted')",
        to: "NOT IN ('counted', 'reverted', 'kept')",
      },
    },
    { ...PLAIN, transactions: ['half'], actors: ['underpaidExpiry', 'keep'] },
    'received-is-exact',
    12,
  ],
  [
    'forgets what it has converted',
    {
      statement: { statement: 'deposits.list-of-orders', from: 'd.settled_cents', to: '0 AS settled_cents' },
    },
    { ...PLAIN, reorganisations: 1, isDeep: true },
    'applied-is-converted',
    11,
  ],
  [
    'does not keep what it takes back',
    {
      statement: {
        statement: 'deposits.keep',
        from: 'settled_cents = excluded.settled_cents',
        to: 'settled_cents = greatest(stored.settled_cents, excluded.settled_cents)',
      },
    },
    { ...PLAIN, reorganisations: 1, isDeep: true },
    'applied-is-converted',
    11,
  ],
  [
    'cancels what it takes for pending',
    { statement: { statement: 'orders.lock-visible', from: 'o.status, ', to: "'pending' AS status, " } },
    { ...PLAIN, actors: ['cancel'] },
    'allowed-ways',
    5,
  ],
  [
    'moves on without the deposits that it has read',
    {
      chain: (shipped) => ({
        ...shipped,
        deposits: async (query) => ({ ...(await shipped.deposits(query)), deposits: [] }),
      }),
    },
    PLAIN,
    'no-deposit-is-lost',
    9,
  ],
]

test.each(MUTANTS)('catches a mutant that %s', async (_, mutant, scope, rule, length) => {
  const { violation } = await exploreCryptoOrder(space, scope, mutant)
  expect({ rule: violation?.rule, length: violation?.trace.length }).toEqual({ rule, length })
})
