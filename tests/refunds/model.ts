import { newId } from '@causeway/chassis'
import { eventually } from '@causeway/chassis/testing'
import { expect } from '@jest/globals'
import { setTimeout as delay } from 'node:timers/promises'
import type { OrderBooks } from './books.ts'
import type { Manner } from './processor-front.ts'
import type { ServiceProcess } from './service-process.ts'
import { MAX_REFUNDABLE_CENTS, type PaidOrder, type RefundOutcome, type World } from './world.ts'

/** Longer than a call may last: leases end and the reconciler looks at everything. */
const GRACE_MS = 60_000
const PATIENCE = { withinMs: 120_000 }

/** A key, and what its refund came to: cents that went back, or the code of a refusal; null while it is open. */
type Key = { readonly key: string; readonly amountCents: number; outcome: number | string | null }
/** An order as it ought to be. */
type Expected = {
  readonly order: PaidOrder
  readonly keys: Key[]
  elsewhereCents: number
  elsewhereCount: number
  isDisputed: boolean
}

/** What the platform ought to have done so far. It knows nothing of states, leases, places and processes. */
export type Model = { readonly orders: Expected[]; steps: number }
/** The platform; killed, refunds is started anew from what was loaded meanwhile. */
export type Real = { readonly world: World; service: ServiceProcess; next: ServiceProcess }

const sumOf = ({ keys, elsewhereCents }: Expected): number =>
  keys.reduce((sum, { outcome }) => sum + (typeof outcome === 'number' ? outcome : 0), elsewhereCents)

/** The refusal that the specification's rules give now, or null. */
const refusalOf = (expected: Expected, amountCents: number): string | null => {
  const remainingCents = MAX_REFUNDABLE_CENTS - sumOf(expected)
  if (expected.isDisputed || remainingCents === 0) return 'order_not_paid'
  return amountCents > remainingCents ? 'amount_exceeds_remaining' : null
}

const OPEN_CODES = new Set(['internal_error', 'temporarily_unavailable'])
const askOnce = async (world: World, { order }: Expected, key: Key): Promise<RefundOutcome> =>
  world.refund(order.orderKey, key.amountCents, key.key)

const outcomeOf = (answer: RefundOutcome, amountCents: number): number | string | null => {
  if (answer.ok) return amountCents
  return OPEN_CODES.has(answer.code) ? null : answer.code
}

/** Replays the order's open keys, one after the other, until each has an outcome. */
const resolve = async (world: World, expected: Expected): Promise<void> => {
  for (const key of expected.keys)
    if (key.outcome === null)
      key.outcome = await eventually(async () => {
        world.advance(GRACE_MS)
        return outcomeOf(await askOnce(world, expected, key), key.amountCents) ?? undefined
      }, PATIENCE)
}

/** Waits until payments has heard of what happened at the processor. */
const heard = (world: World, { order }: Expected, is: (order: NonNullable<OrderBooks['order']>) => boolean) =>
  eventually(async () => {
    const found = await world.books.order(order.orderKey)
    return found !== undefined && is(found)
  }, PATIENCE)

const take = (expected: Expected, amountCents: number): Key => {
  const key: Key = { key: newId('request'), amountCents, outcome: null }
  expected.keys.push(key)
  return key
}

const restart = async (real: Real): Promise<void> => {
  await real.service.kill()
  real.service = real.next
  await real.service.start()
  real.next = real.world.load('refunds')
}

/** The outcomes that are possible with a manner of the processor, where the rules allow the refund. */
const ENDS: Readonly<Record<Manner | 'well', 'made' | 'refused' | 'made or refused'>> = {
  well: 'made',
  double: 'made',
  lose_answer: 'made',
  lose_request: 'made',
  throttle: 'made',
  wait: 'made',
  refuse: 'refused',
  // Whoever looks first: the call, and it failed; or, had it died, another one that asks again.
  fail: 'made or refused',
}

export const actions = {
  newOrder: async (model: Model, { world }: Real): Promise<void> => {
    const order = await world.newOrder()
    model.orders.push({ order, keys: [], elsewhereCents: 0, elsewhereCount: 0, isDisputed: false })
  },

  /** One refund, and its outcome by the rules; its key then answers the same for ever. */
  refund: async (expected: Expected, { world }: Real, amountCents: number, manner: Manner | 'well') => {
    await resolve(world, expected)
    const refusal = refusalOf(expected, amountCents)
    // A no is said to whoever asks again too.
    const times = manner === 'refuse' ? 50 : 1
    if (manner !== 'well')
      world.front.behave(expected.order.paymentId, 'refund', Array<Manner>(times).fill(manner))
    const key = take(expected, amountCents)
    key.outcome = outcomeOf(await askOnce(world, expected, key), amountCents)
    await resolve(world, expected)
    world.front.behave(expected.order.paymentId, 'refund', [])
    const end = ENDS[manner]
    const allowed = refusal !== null ? [refusal] : end === 'made' ? [amountCents] : ['provider_error']
    expect([...allowed, ...(refusal === null && end === 'made or refused' ? [amountCents] : [])]).toContain(
      key.outcome,
    )
  },

  /** Several keys at once: together they never pass the ceiling. */
  together: async (expected: Expected, { world }: Real, amountsCents: readonly number[]) => {
    const keys = amountsCents.map((amountCents) => take(expected, amountCents))
    await Promise.all(
      keys.map(async (key) => {
        key.outcome = outcomeOf(await askOnce(world, expected, key), key.amountCents)
      }),
    )
    await resolve(world, expected)
    expect(sumOf(expected)).toBeLessThanOrEqual(MAX_REFUNDABLE_CENTS)
  },

  /** A refund whose service is killed while it runs. */
  killDuring: async (expected: Expected, real: Real, amountCents: number, afterMs: number) => {
    const key = take(expected, amountCents)
    const lost = askOnce(real.world, expected, key)
    await delay(afterMs)
    await restart(real)
    // The caller gives up on it, as one whose connection ended does.
    lost.catch(() => undefined)
  },

  kill: (_expected: Expected, real: Real): Promise<void> => restart(real),

  replay: async (expected: Expected, { world }: Real, which: number) => {
    await resolve(world, expected)
    const kept = expected.keys.filter(
      ({ outcome }) => typeof outcome === 'number' || outcome === 'provider_error',
    )
    const key = kept[which % Math.max(kept.length, 1)]
    if (key) expect(outcomeOf(await askOnce(world, expected, key), key.amountCents)).toBe(key.outcome)
  },

  /** Somebody refunds at the processor itself: it counts against the ceiling from then on. */
  elsewhere: async (expected: Expected, { world }: Real, wantedCents: number) => {
    await resolve(world, expected)
    const amountCents = Math.min(wantedCents, MAX_REFUNDABLE_CENTS - sumOf(expected))
    if (expected.isDisputed || amountCents === 0) return
    await world.control(`/card-refunds/${expected.order.orderKey}`, { amount_cents: amountCents })
    expected.elsewhereCents += amountCents
    expected.elsewhereCount += 1
    await heard(world, expected, ({ refundedCents }) => refundedCents === sumOf(expected))
  },

  /** A dispute, also while a refund is open: it is refused by the processor then, or was made before. */
  dispute: async (expected: Expected, { world }: Real) => {
    await world.control(`/chargebacks/${expected.order.orderKey}`, {})
    expected.isDisputed = true
    await heard(world, expected, ({ status }) => status === 'chargeback')
  },
} as const

/** What every place says of an order is what the model says. */
const expectOrder = (expected: Expected, books: OrderBooks): void => {
  const cents = sumOf(expected)
  const made = expected.keys.filter(({ outcome }) => typeof outcome === 'number').length
  const count = made + expected.elsewhereCount
  const reconciled = books.refunds.filter(({ state }) => state === 'reconciled').map(({ id }) => id)
  expect({
    expected,
    processorCents: books.made.reduce((sum, refund) => sum + refund.amount_cents, 0),
    processorCount: books.made.length,
    reconciled: reconciled.length,
    completed: [...books.completed].sort(),
    orderCents: books.order && [books.order.refundedCents, books.order.chargebackCents],
  }).toEqual({
    expected,
    processorCents: cents,
    processorCount: count,
    reconciled: count,
    completed: [...reconciled].sort(),
    orderCents: expected.isDisputed ? [0, MAX_REFUNDABLE_CENTS] : [cents, 0],
  })
  // A refund that the dispute overtook changes no order, so that no cents count twice.
  if (expected.isDisputed) expect(books.refunded).toBeLessThanOrEqual(count)
  else expect(books.refunded).toBe(count)
}

/** After everything has come to its end: what every place says of every order is what the model says. */
export const expectModel = async (model: Model, { world }: Real): Promise<void> => {
  for (const expected of model.orders) await resolve(world, expected)
  await eventually(async () => {
    world.advance(GRACE_MS)
    const states = (await world.books.refunds()).map(({ state }) => state)
    expect(states.filter((state) => state !== 'reconciled' && state !== 'failed')).toEqual([])
    return world.books.isRelayed()
  }, PATIENCE)
  // What was refunded elsewhere is recorded when the event of it has come.
  await eventually(async () => {
    world.advance(GRACE_MS)
    const booksOf = await world.books.readAll()
    for (const expected of model.orders) expectOrder(expected, booksOf(expected.order.orderKey))
    return true
  }, PATIENCE)
}
