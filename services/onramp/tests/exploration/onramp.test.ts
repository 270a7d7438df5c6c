import { createRowSpace, type RowSpace } from '@causeway/chassis/exploration'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { fileURLToPath } from 'node:url'
import type { OnrampHolds } from '../../src/clients/payments.ts'
import { exploreOnramp, type Mutant, type OnrampScope } from './onramp-machine.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

let space: RowSpace
beforeAll(async () => {
  space = await createRowSpace({ name: 'onramp', migrations: MIGRATIONS }, [
    { name: 'onramp_orders' },
    { name: 'outbox_events', orderBy: 'seq', without: ['seq'] },
  ])
})
afterAll(() => space.close())

const POLLED: OnrampScope = { actors: ['create', 'poller'], outcomes: ['cancelled'], faults: 1 }
const NOTIFIED: OnrampScope = {
  actors: ['create', 'notice'],
  outcomes: ['completed', 'cancelled'],
  faults: 1,
}
const SUCCESSFUL: OnrampScope = { actors: ['create', 'poller'], outcomes: ['completed'], faults: 1 }

const SCOPES: readonly [string, OnrampScope, number][] = [
  ['polled, it fails, one fault', POLLED, 5_502],
  ['polled, it succeeds, one fault', SUCCESSFUL, 5_502],
  ['notices, one fault', NOTIFIED, 5_163],
]

test.each(SCOPES)('an onramp order keeps its rules: %s', async (_, scope, states) => {
  const found = await exploreOnramp(space, scope)
  expect({ ...found.violation, states: found.states, isExhausted: found.isExhausted }).toEqual({
    states,
    isExhausted: true,
  })
})

/** Payments is not asked, and taken to have agreed. */
const agreed = () =>
  Promise.resolve({ ok: true, value: { order: { status: 'pending' } } } as Awaited<
    ReturnType<OnrampHolds['create']>
  >)

const MUTANTS: readonly [string, Mutant, OnrampScope, string, number][] = [
  [
    'creates an order at the provider without a hold',
    { holds: (shipped) => ({ ...shipped, create: agreed }) },
    { ...POLLED, faults: 0 },
    'every-order-ends',
    16,
  ],
  [
    'releases nothing',
    { holds: (shipped) => ({ ...shipped, release: agreed }) },
    SUCCESSFUL,
    'every-order-ends',
    5,
  ],
  [
    'takes a payment that is awaited for one that is done',
    {
      statusUpdates: (shipped) => ({
        apply: (purchase, reported) => {
          const isAwaited = reported.status === 'waitingPayment'
          return shipped.apply(purchase, isAwaited ? { ...reported, status: 'completed' } : reported)
        },
      }),
    },
    SUCCESSFUL,
    'success-was-reported',
    6,
  ],
  [
    'forgets that a purchase has ended',
    {
      statement: {
        statement: 'purchases.lock',
        from: 'o.outcome AS outcome',
        to: 'NULL::text AS outcome',
      },
    },
    SUCCESSFUL,
    'ends-stay',
    16,
  ],
]

test.each(MUTANTS)('a mutant that %s is caught', async (_, mutant, scope, rule, length) => {
  const { violation } = await exploreOnramp(space, scope, mutant)
  expect({ rule: violation?.rule, length: violation?.trace.length }).toEqual({ rule, length })
})
