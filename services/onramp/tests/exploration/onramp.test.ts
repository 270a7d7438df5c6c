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

/** Payments or the provider does not answer the call, or it dies, and its caller asks again or not. */
const ABANDONED: OnrampScope = { actors: ['create'], outcomes: [], faults: 3 }
const REPEATED: OnrampScope = { actors: ['create', 'again'], outcomes: [], faults: 1 }
/** One call gives up, another starts again, and an earlier one continues. */
const OVERTAKEN: OnrampScope = { actors: ['create', 'again', 'third'], outcomes: [], faults: 1 }

const SCOPES: readonly [string, OnrampScope, number][] = [
  ['polled, it fails, one fault', POLLED, 5_508],
  ['polled, it succeeds, one fault', SUCCESSFUL, 5_508],
  ['notices, one fault', NOTIFIED, 5_340],
  ['one call, three faults', ABANDONED, 1_199],
  ['two calls, one fault', REPEATED, 1_264],
  ['three calls, one fault', OVERTAKEN, 2_882],
]

test.each(SCOPES)('keeps the rules of an onramp order: %s', async (_, scope, states) => {
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
    'open-purchase-holds',
    5,
  ],
  [
    'lets a late call of a purchase that was given up take over the hold of a newer one',
    { takesHoldsOver: true },
    OVERTAKEN,
    'open-purchase-holds',
    15,
  ],
  [
    'deletes what it abandons, and only then releases',
    {
      statement: {
        statement: 'purchases.abandon',
        from: `UPDATE onramp_orders SET outcome = 'failure', abandoned_at = $3::timestamptz, updated_at = $3::timestamptz, due_at = $4::timestamptz, poll_at = NULL
    WHERE`,
        to: 'DELETE FROM onramp_orders WHERE $3::timestamptz < $4::timestamptz AND',
      },
    },
    ABANDONED,
    'every-order-ends',
    5,
  ],
  [
    'deletes what it abandoned while another call still works on it',
    {
      statement: {
        statement: 'purchases.abandon',
        from: 'due_at = $4::timestamptz',
        to: 'due_at = least($3::timestamptz, $4::timestamptz)',
      },
    },
    REPEATED,
    'every-order-ends',
    15,
  ],
  [
    'releases nothing',
    { holds: (shipped) => ({ ...shipped, release: agreed }) },
    SUCCESSFUL,
    'every-order-ends',
    9,
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

test.each(MUTANTS)('catches a mutant that %s', async (_, mutant, scope, rule, length) => {
  const { violation } = await exploreOnramp(space, scope, mutant)
  expect({ rule: violation?.rule, length: violation?.trace.length }).toEqual({ rule, length })
})
