import { createRowSpace, type RowSpace } from '@causeway/chassis/exploration'
import { RailError } from '@causeway/rails'
import type { CardProcessor } from '@causeway/rails/cards'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { fileURLToPath } from 'node:url'
import { exploreRefunds, type Mutant, type Scope } from './refund-machine.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

let space: RowSpace
beforeAll(async () => {
  space = await createRowSpace({ name: 'refunds', migrations: MIGRATIONS }, [
    { name: 'refunds' },
    { name: 'idempotency_keys' },
    { name: 'client_refund_days' },
    { name: 'refund_differences' },
    { name: 'outbox_events', orderBy: 'seq', without: ['seq'] },
  ])
})
afterAll(() => space.close())

const ONE = { calls: ['first'], faults: 1, ticks: 0 } as const
const ONE_STALLED = { calls: ['first'], faults: 1, ticks: 1 } as const
const TWO = { calls: ['first', 'other'], faults: 0, ticks: 0 } as const

const SCOPES: readonly [string, Scope, number][] = [
  ['one call, two faults, a stall', { calls: ['first'], faults: 2, ticks: 1 }, 17_414],
  [
    'a replay concurrent with its first call, two faults',
    { calls: ['first', 'replay'], faults: 2, ticks: 0 },
    2_601,
  ],
  [
    'three calls under two keys, one fault',
    { calls: ['first', 'replay', 'other'], faults: 1, ticks: 0 },
    6_223,
  ],
]
/** `EXPLORATION=long` adds what takes a minute. */
const LONG_SCOPES: readonly [string, Scope, number][] = [
  ['two keys, one fault, a stall', { calls: ['first', 'other'], faults: 1, ticks: 1 }, 79_983],
]
const isLong = process.env['EXPLORATION'] === 'long'

test.each([...SCOPES, ...(isLong ? LONG_SCOPES : [])])(
  'keeps the rules of a refund: %s',
  async (_, scope, states) => {
    const found = await exploreRefunds(space, scope)
    expect({ ...found.violation, states: found.states, isExhausted: found.isExhausted }).toEqual({
      states,
      isExhausted: true,
    })
  },
)

/** A processor that is read and asked in another way. */
const withProcessor = (change: (shipped: CardProcessor) => Partial<CardProcessor>): Mutant => ({
  processor: (shipped) => ({ ...shipped, ...change(shipped) }),
})

const MUTANTS: readonly [string, Mutant, Scope, string, number][] = [
  [
    'fences with the latest claim of any process',
    {
      transitions: (shipped) => ({
        ...shipped,
        move: async (refund, to, processorRefundId) => {
          const moved = await shipped.move(refund, to, processorRefundId)
          const { attempts = 0 } = (await shipped.get(refund.partnerId, refund.id)) ?? {}
          return { ...moved, attempts }
        },
      }),
    },
    ONE_STALLED,
    'failed-is-not-made',
    14,
  ],
  [
    'takes a list without the refund for a proof',
    {
      requests: (shipped, transitions) => ({
        ...shipped,
        resolve: async (refund) => {
          const found = await shipped.confirmFailure(refund)
          return found.state === 'sent' ? transitions.move(refund, 'failed') : found
        },
      }),
    },
    ONE_STALLED,
    'failed-is-not-made',
    11,
  ],
  [
    'takes a lost answer for a request that was not sent',
    withProcessor((shipped) => ({
      refund: (request) =>
        shipped.refund(request).catch((error: unknown) => {
          throw error instanceof RailError ? new RailError('unreachable', error.message) : error
        }),
    })),
    ONE,
    'withdrawn-is-not-sent',
    6,
  ],
  [
    'does not ask what was refunded before',
    withProcessor((shipped) => ({
      readPayment: async (id) => ({ ...(await shipped.readPayment(id)), refundedCents: 0 }),
    })),
    TWO,
    'never-above-paid',
    13,
  ],
  [
    'emits before the order counts the refund',
    { payments: (shipped) => ({ ...shipped, recordRefund: () => Promise.resolve({ partnerSees: true }) }) },
    ONE,
    'completed-once',
    7,
  ],
  [
    'reconciles a refund that is reconciled',
    { statement: { statement: 'refunds.reconcile', from: "AND state = 'succeeded'", to: '' } },
    ONE_STALLED,
    'completed-once',
    13,
  ],
  [
    'withdraws a refund whatever its state',
    { statement: { statement: 'refunds.withdraw', from: 'state = $3::text', to: "$3::text <> ''" } },
    ONE_STALLED,
    'withdrawn-is-not-sent',
    9,
  ],
]

test.each(MUTANTS)('catches a mutant that %s', async (_, mutant, scope, rule, length) => {
  const { violation } = await exploreRefunds(space, scope, mutant)
  expect({ rule: violation?.rule, length: violation?.trace.length }).toEqual({ rule, length })
})
