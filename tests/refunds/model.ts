import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { expect } from '@jest/globals'
import { setTimeout as delay } from 'node:timers/promises'
import type { OrderState } from './observed-state.ts'
import type { Fault } from './fault-proxy.ts'
import type { ServiceProcess } from './service-process.ts'
import {
  GRACE_MS,
  MAX_REFUNDABLE_CENTS,
  type PaidOrder,
  type RefundOutcome,
  type Fixture,
} from './fixture.ts'

const LONG_WAIT = { withinMs: 120_000 }

/** A key and the outcome of its refund: the cents refunded, or the code of a refusal; null while it is unknown. */
type Key = { readonly key: string; readonly amountCents: number; outcome: number | string | null }
/** The expected state of an order. */
type Expected = {
  readonly order: PaidOrder
  readonly keys: Key[]
  elsewhereCents: number
  elsewhereCount: number
  isDisputed: boolean
}

/** The expected state so far, without states, leases, slots or processes. */
export type Model = { readonly orders: Expected[]; steps: number }
/** The platform; after a kill, refunds continues in the process that was loaded ahead. */
export type Real = { readonly fixture: Fixture; service: ServiceProcess; next: ServiceProcess }

const sumOf = ({ keys, elsewhereCents }: Expected): number =>
  keys.reduce((sum, { outcome }) => sum + (typeof outcome === 'number' ? outcome : 0), elsewhereCents)

/** The refusal that the specification's rules require now, or null. */
const refusalOf = (expected: Expected, amountCents: number): string | null => {
  const remainingCents = MAX_REFUNDABLE_CENTS - sumOf(expected)
  if (expected.isDisputed || remainingCents === 0) return 'order_not_paid'
  return amountCents > remainingCents ? 'amount_exceeds_remaining' : null
}

const OPEN_CODES = new Set(['internal_error', 'temporarily_unavailable'])
const askOnce = async (fixture: Fixture, { order }: Expected, key: Key): Promise<RefundOutcome> =>
  fixture.refund(order.orderKey, key.amountCents, key.key)

const outcomeOf = (answer: RefundOutcome, amountCents: number): number | string | null => {
  if (answer.ok) return amountCents
  return OPEN_CODES.has(answer.code) ? null : answer.code
}

/** Replays the order's open keys, one after the other, until each has an outcome. */
const resolve = async (fixture: Fixture, expected: Expected): Promise<void> => {
  for (const key of expected.keys)
    if (key.outcome === null)
      key.outcome = await eventually(async () => {
        fixture.advance(GRACE_MS)
        return outcomeOf(await askOnce(fixture, expected, key), key.amountCents) ?? undefined
      }, LONG_WAIT)
}

/** Waits until payments has applied what happened at the processor. */
const applied = (
  fixture: Fixture,
  { order }: Expected,
  is: (order: NonNullable<OrderState['order']>) => boolean,
) =>
  eventually(async () => {
    const found = await fixture.observed.order(order.orderKey)
    return found !== undefined && is(found)
  }, LONG_WAIT)

const newKey = (expected: Expected, amountCents: number): Key => {
  const key: Key = { key: newId('request'), amountCents, outcome: null }
  expected.keys.push(key)
  return key
}

const restart = async (real: Real): Promise<void> => {
  await real.service.kill()
  real.service = real.next
  await real.service.start()
  real.next = real.fixture.load('refunds')
}

/** The possible outcomes under each fault of the processor, where the rules allow the refund. */
const ENDS: Readonly<Record<Fault | 'well', 'made' | 'refused' | 'made or refused'>> = {
  well: 'made',
  double: 'made',
  lose_answer: 'made',
  lose_request: 'made',
  throttle: 'made',
  wait: 'made',
  refuse: 'refused',
  // The call reads the list and it failed; or the call died, and another one sends it again.
  fail: 'made or refused',
}

export const actions = {
  newOrder: async (model: Model, { fixture }: Real): Promise<void> => {
    const order = await fixture.newOrder()
    model.orders.push({ order, keys: [], elsewhereCents: 0, elsewhereCount: 0, isDisputed: false })
  },

  /** One refund, with its outcome by the rules; its key answers the same ever after. */
  refund: async (expected: Expected, { fixture }: Real, amountCents: number, fault: Fault | 'well') => {
    await resolve(fixture, expected)
    const refusal = refusalOf(expected, amountCents)
    // Requests that are repeated are refused too.
    const times = fault === 'refuse' ? 50 : 1
    if (fault !== 'well')
      fixture.proxy.inject(expected.order.paymentId, 'refund', Array<Fault>(times).fill(fault))
    const key = newKey(expected, amountCents)
    key.outcome = outcomeOf(await askOnce(fixture, expected, key), amountCents)
    await resolve(fixture, expected)
    fixture.proxy.inject(expected.order.paymentId, 'refund', [])
    const end = ENDS[fault]
    const allowed = refusal !== null ? [refusal] : end === 'made' ? [amountCents] : ['provider_error']
    expect([...allowed, ...(refusal === null && end === 'made or refused' ? [amountCents] : [])]).toContain(
      key.outcome,
    )
  },

  /** Several keys concurrently: together they never pass the ceiling. */
  together: async (expected: Expected, { fixture }: Real, amountsCents: readonly number[]) => {
    const keys = amountsCents.map((amountCents) => newKey(expected, amountCents))
    await Promise.all(
      keys.map(async (key) => {
        key.outcome = outcomeOf(await askOnce(fixture, expected, key), key.amountCents)
      }),
    )
    await resolve(fixture, expected)
    expect(sumOf(expected)).toBeLessThanOrEqual(MAX_REFUNDABLE_CENTS)
  },

  /** A refund whose service is killed during the call. */
  killDuring: async (expected: Expected, real: Real, amountCents: number, afterMs: number) => {
    const key = newKey(expected, amountCents)
    const lost = askOnce(real.fixture, expected, key)
    await delay(afterMs)
    await restart(real)
    // Its caller gives up, like one whose connection ended.
    lost.catch(() => undefined)
  },

  kill: (_expected: Expected, real: Real): Promise<void> => restart(real),

  replay: async (expected: Expected, { fixture }: Real, which: number) => {
    await resolve(fixture, expected)
    const kept = expected.keys.filter(
      ({ outcome }) => typeof outcome === 'number' || outcome === 'provider_error',
    )
    const key = kept[which % Math.max(kept.length, 1)]
    if (key) expect(outcomeOf(await askOnce(fixture, expected, key), key.amountCents)).toBe(key.outcome)
  },

  /** A refund at the processor itself: it counts against the ceiling from then on. */
  elsewhere: async (expected: Expected, { fixture }: Real, wantedCents: number) => {
    await resolve(fixture, expected)
    const amountCents = Math.min(wantedCents, MAX_REFUNDABLE_CENTS - sumOf(expected))
    if (expected.isDisputed || amountCents === 0) return
    await fixture.control(`/card-refunds/${expected.order.orderKey}`, { amount_cents: amountCents })
    expected.elsewhereCents += amountCents
    expected.elsewhereCount += 1
    await applied(fixture, expected, ({ refundedCents }) => refundedCents === sumOf(expected))
  },

  /** A dispute, also while a refund is in progress: the processor refuses that, or has made it before. */
  dispute: async (expected: Expected, { fixture }: Real) => {
    await fixture.control(`/chargebacks/${expected.order.orderKey}`, {})
    expected.isDisputed = true
    await applied(fixture, expected, ({ status }) => status === 'chargeback')
  },
} as const

/** Checks that the processor, refunds and payments store of an order what the model says. */
const expectOrder = (expected: Expected, observed: OrderState): void => {
  const cents = sumOf(expected)
  const made = expected.keys.filter(({ outcome }) => typeof outcome === 'number').length
  const count = made + expected.elsewhereCount
  const reconciled = observed.refunds.filter(({ state }) => state === 'reconciled').map(({ id }) => id)
  expect({
    expected,
    processorCents: observed.made.reduce((sum, refund) => sum + refund.amount_cents, 0),
    processorCount: observed.made.length,
    reconciled: reconciled.length,
    completed: [...observed.completed].sort(),
    orderCents: observed.order && [observed.order.refundedCents, observed.order.chargebackCents],
  }).toEqual({
    expected,
    processorCents: cents,
    processorCount: count,
    reconciled: count,
    completed: [...reconciled].sort(),
    orderCents: expected.isDisputed ? [0, MAX_REFUNDABLE_CENTS] : [cents, 0],
  })
  // A refund after the dispute does not change the order: no cents count twice.
  if (expected.isDisputed) expect(observed.refunded).toBeLessThanOrEqual(count)
  else expect(observed.refunded).toBe(count)
}

/** Waits for the end of every refund, then compares the stored state everywhere with the model. */
export const expectModel = async (model: Model, { fixture }: Real): Promise<void> => {
  for (const expected of model.orders) await resolve(fixture, expected)
  await eventually(async () => {
    fixture.advance(GRACE_MS)
    const states = (await fixture.observed.refunds()).map(({ state }) => state)
    expect(states.filter((state) => state !== 'reconciled' && state !== 'failed')).toEqual([])
    return fixture.observed.isRelayed()
  }, LONG_WAIT)
  // A refund made outside the API is recorded once its event has arrived.
  await eventually(async () => {
    fixture.advance(GRACE_MS)
    const stateOf = await fixture.observed.readAll()
    for (const expected of model.orders) expectOrder(expected, stateOf(expected.order.orderKey))
    return true
  }, LONG_WAIT)
}
