import { createRowSpace, type RowSpace } from '@causeway/chassis/exploration'
import { RailError } from '@causeway/rails'
import type { CardProcessor } from '@causeway/rails/cards'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { fileURLToPath } from 'node:url'
import { exploreFiatOrder, FIAT_SEED, type FiatScope, type Mutant } from './fiat-order-machine.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

let space: RowSpace
beforeAll(async () => {
  const tables = [
    'relationships',
    'integrations',
    'fiat_orders',
    'fiat_refunds_seen',
    'chargebacks',
    'card_notices_taken',
    'idempotency_keys',
  ]
  space = await createRowSpace(
    { name: 'payments', migrations: MIGRATIONS },
    [...tables.map((name) => ({ name })), { name: 'outbox_events', orderBy: 'seq', without: ['seq'] }],
    FIAT_SEED,
  )
})
afterAll(() => space.close())

const NONE: FiatScope = { actors: [], steps: [], faults: 0, ticks: 0 }
const REPEATED: FiatScope = { ...NONE, actors: ['again'], faults: 2, ticks: 1 }
const NOTIFIED: FiatScope = { ...NONE, actors: ['notice'], steps: ['completed', 'cancelled'], faults: 1 }
const DISPUTED: FiatScope = {
  ...NONE,
  actors: ['notice'],
  steps: ['completed', 'first', 'second', 'dispute'],
}
const RECORDED: FiatScope = { ...NONE, actors: ['notice', 'record'], steps: ['completed', 'first', 'second'] }
const CONTESTED: FiatScope = { ...RECORDED, steps: ['completed', 'first', 'dispute'], faults: 1 }
const POLLED: FiatScope = {
  ...NONE,
  actors: ['poller'],
  steps: ['completed', 'first', 'dispute'],
  faults: 1,
  ticks: 1,
}

const SCOPES: readonly [string, FiatScope, number][] = [
  ['a call and its repetition, two faults', REPEATED, 3_981],
  ['paid or cancelled, with notices, one fault', NOTIFIED, 122],
  ['refunded at the processor and disputed, with notices', DISPUTED, 2_656],
  ['refunded by us and at the processor', RECORDED, 2_942],
  ['refunded by us and disputed, one fault', CONTESTED, 10_842],
  ['without a notice, one fault', POLLED, 1_453],
]

test.each(SCOPES)('keeps the rules of a card order: %s', async (_, scope, states) => {
  const found = await exploreFiatOrder(space, scope)
  expect({ ...found.violation, states: found.states, isExhausted: found.isExhausted }).toEqual({
    states,
    isExhausted: true,
  })
})

/** A processor that is read and asked in another way. */
const withProcessor = (change: (shipped: CardProcessor) => Partial<CardProcessor>): Mutant => ({
  processor: (shipped) => ({ ...shipped, ...change(shipped) }),
})

const MUTANTS: readonly [string, Mutant, FiatScope, string, number][] = [
  [
    'takes a lost answer for a checkout that was not opened',
    withProcessor((shipped) => ({
      createCheckout: (request) =>
        shipped.createCheckout(request).catch((error: unknown) => {
          throw error instanceof RailError ? new RailError('unreachable', error.message) : error
        }),
    })),
    REPEATED,
    'payment-has-its-order',
    5,
  ],
  [
    'deletes an order whose key another call has taken over',
    {
      statement: {
        statement: 'idempotency.release-leased',
        from: ' AND lease_until = $4::timestamptz',
        to: ' AND $4::timestamptz IS NOT NULL',
      },
    },
    REPEATED,
    'payment-has-its-order',
    13,
  ],
  [
    'binds a checkout to an order that has one',
    {
      statement: {
        statement: 'fiat-orders.bind',
        from: 'AND processor_order_id IS NULL RETURNING',
        to: 'RETURNING',
      },
    },
    REPEATED,
    'each-change-is-told-once',
    14,
  ],
  [
    'takes an open payment for a paid one',
    withProcessor((shipped) => ({
      readPayment: async (id) => {
        const payment = await shipped.readPayment(id)
        return { ...payment, status: 'completed', paidCents: payment.totalCents }
      },
    })),
    NOTIFIED,
    'paid-was-reported',
    13,
  ],
  [
    'acknowledges a notice without reading its payment',
    {
      settlement: (shipped) => ({
        ...shipped,
        applyPayment: () => Promise.resolve({ refundIds: new Set() }),
      }),
    },
    NOTIFIED,
    'order-follows-its-payment',
    12,
  ],
  [
    'keeps refunds next to a dispute of the whole amount',
    {
      statement: {
        statement: 'fiat-orders.settle',
        from: 'refunded_cents = $5::bigint',
        to: 'refunded_cents = greatest(refunded_cents, $5::bigint)',
      },
    },
    CONTESTED,
    'refunds-are-counted-once',
    18,
  ],
  [
    'reads a paid order once and never again',
    {
      statement: {
        statement: 'fiat-orders.take-for-review',
        from: 'SET poll_at = CASE',
        to: 'SET poll_at = CASE WHEN true THEN NULL',
      },
    },
    POLLED,
    'order-follows-its-payment',
    18,
  ],
]

test.each(MUTANTS)('catches a mutant that %s', async (_, mutant, scope, rule, length) => {
  const { violation } = await exploreFiatOrder(space, scope, mutant)
  expect({ rule: violation?.rule, length: violation?.trace.length }).toEqual({ rule, length })
})
