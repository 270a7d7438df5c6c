import { createRowSpace, type RowSpace } from '@causeway/chassis/exploration'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { fileURLToPath } from 'node:url'
import { outcomeOf } from '../../src/engine/record/outcome.ts'
import { exploreDelivery, type DeliveryScope, type Mutant } from './delivery-machine.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

let space: RowSpace
beforeAll(async () => {
  const tables = ['destination_revision', 'events', 'deliveries', 'attempts']
  space = await createRowSpace(
    { name: 'webhooks', migrations: MIGRATIONS },
    tables.map((name) => ({ name })),
  )
})
afterAll(() => space.close())

const TWO_REPLICAS: DeliveryScope = { faults: 1, ticks: 1, replicas: ['A', 'B'] }
const TWO_STALLS: DeliveryScope = { faults: 0, ticks: 2, replicas: ['A', 'B'], takers: ['A'] }

const SCOPES: readonly [string, DeliveryScope, number][] = [
  ['one replica, two faults', { faults: 2, ticks: 1, replicas: ['A'] }, 1_936],
  ['two replicas, one fault, a stall', TWO_REPLICAS, 16_011],
]

test.each(SCOPES)('keeps the rules of a delivery: %s', async (_, scope, states) => {
  const found = await exploreDelivery(space, scope)
  expect({ ...found.violation, states: found.states, isExhausted: found.isExhausted }).toEqual({
    states,
    isExhausted: true,
  })
})

const MUTANTS: readonly [string, Mutant, DeliveryScope, string, number][] = [
  [
    'claims what is leased',
    {
      statement: {
        statement: 'deliveries.claim',
        from: 'd.due_at <= to_timestamp($6::float8 / 1000.0)',
        to: '$6::float8 > 0',
      },
    },
    TWO_REPLICAS,
    'live-lease-is-kept',
    9,
  ],
  [
    'finishes under a lease that it has lost',
    { statement: { statement: 'deliveries.finish', from: 'AND d.lease_id = f.lease_id', to: '' } },
    TWO_STALLS,
    'ends-stay',
    14,
  ],
  [
    'acknowledges an event before it is recorded',
    { acknowledgesFirst: true },
    TWO_REPLICAS,
    'acknowledged-is-recorded',
    2,
  ],
  [
    'begins its schedule again with each attempt',
    {
      outcome: (destination, retriesUsed, attempt) => ({
        ...outcomeOf(destination, 0, attempt),
        retriesUsed: retriesUsed + 1,
      }),
    },
    TWO_REPLICAS,
    'dead-after-all-retries',
    9,
  ],
  [
    'takes any answer for a success',
    { outcome: (...attempted) => ({ ...outcomeOf(...attempted), state: 'delivered' }) },
    TWO_REPLICAS,
    'delivered-was-received',
    9,
  ],
]

test.each(MUTANTS)('catches a mutant that %s', async (_, mutant, scope, rule, length) => {
  const { violation } = await exploreDelivery(space, scope, mutant)
  expect({ rule: violation?.rule, length: violation?.trace.length }).toEqual({ rule, length })
})
