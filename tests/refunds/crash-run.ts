import { newId } from '@causeway/chassis'
import { eventually, testBus } from '@causeway/chassis/testing'
import { expect } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ask, expectAgreement, KINDS, type Attempt, type Kind } from './attempts.ts'
import type { Stop } from './process/stops.ts'
import { refundPath } from './refund-path.ts'
import type { ServiceProcess } from './service-process.ts'
import type { World } from './world.ts'

/** Longer than a call may last, so that what a dead one was doing is taken over. */
const GRACE_MS = 60_000
/** So long nothing happens before a life ends; when it is too short, the life after it goes on where it was. */
const QUIET_MS = 250
const LOOK_MS = 50
const FEW_STOPS = 24
/** A round that brings no more than these is the last of its life. */
const FEW_NEW = 8
const MANY_COPIES = 3
const OPENED_AT_ONCE = 8
/** Of a loop that is held nothing more can be reached in its replica. */
const REPLICAS = 8
const MOST_IDLE_LIVES = 6

/** Whether keys are replayed at once after each crash, or only when the reconciler has settled everything. */
export type Recovery = 'replayed' | 'reconciled' | 'mixed'
export type CrashReport = Readonly<{
  stops: number
  lives: number
  refunds: number
  unreached: readonly Stop[]
}>

/** Writes the instrumented path down for the processes of a run. */
const prepare = () => {
  const { sources, points } = refundPath()
  const folder = mkdtempSync(join(tmpdir(), 'causeway-stops-'))
  const file = join(folder, 'sources.json')
  writeFileSync(file, JSON.stringify(sources))
  const stops = points.flatMap((at): Stop[] => [`before ${at}`, `after ${at}`])
  return { file, stops, remove: () => rmSync(folder, { recursive: true }) }
}

const open = async (world: World, kind: Kind): Promise<Attempt[]> => {
  const { amountsCents = [2_500], manners = {}, end = 'made', elsewhereCents = 0 } = kind
  const order = await world.newOrder()
  if (elsewhereCents > 0)
    await world.control(`/card-refunds/${order.orderKey}`, { amount_cents: elsewhereCents })
  for (const [call, next] of Object.entries(manners))
    world.front.behave(order.paymentId, call as keyof typeof manners, next)
  if (kind.hidden)
    world.front.onRefund(order.paymentId, () => world.hideOrder(order.orderKey).then(() => undefined))
  return amountsCents.map((amountCents) => ({
    order,
    amountCents,
    kind: kind.name,
    key: newId('request'),
    end,
    elsewhereCents,
    told: null,
    last: null,
  }))
}

/**
 * Runs refunds of every kind and kills their service, again and again, until somebody was held at each stop of the
 * path when it died; then lets everything come to its end and compares all books. Held refunds are of orders of their
 * own, so that one death stands for a crash at each of the stops that were taken in it.
 */
export const crashEverywhere = async (world: World, recovery: Recovery): Promise<CrashReport> => {
  const prepared = prepare()
  const remaining = new Set(prepared.stops)
  const attempts: Attempt[] = []
  let next = world.load('refunds', prepared.file)
  let lives = 0

  const untold = () => attempts.filter(({ told }) => told === null)

  /** Drives refunds until nobody comes to a new stop, and kills the service. @returns the stops that were taken */
  const live = async (service: ServiceProcess): Promise<readonly Stop[]> => {
    const bus = await testBus()
    let answered = 0
    const calls: Promise<void>[] = []
    const send = (attempt: Attempt, times = 1) => {
      for (let time = 0; time < times; time += 1)
        calls.push(
          ask(world, attempt, bus).then(() => {
            answered += 1
          }),
        )
    }
    const becomesQuiet = async () => {
      for (let before = -1, quietMs = 0; quietMs < QUIET_MS; quietMs += LOOK_MS) {
        const now = answered + service.held().length
        if (now !== before) quietMs = 0
        before = now
        await delay(LOOK_MS)
      }
    }
    const openAll = async (copies: number) => {
      const kinds = KINDS.flatMap((kind) => Array.from({ length: copies }, () => kind))
      const opened: { kind: Kind; made: Attempt[] }[] = []
      while (kinds.length > 0)
        opened.push(
          ...(await Promise.all(
            kinds.splice(0, OPENED_AT_ONCE).map(async (kind) => ({ kind, made: await open(world, kind) })),
          )),
        )
      for (const { kind, made } of opened) {
        attempts.push(...made)
        for (const attempt of made) send(attempt, kind.calls)
        const [first] = made
        if (first) void world.list(first.order.orderKey, bus)
      }
    }
    const pass = async () => {
      await becomesQuiet()
      world.advance(GRACE_MS)
      await becomesQuiet()
      world.front.release()
      await becomesQuiet()
    }
    try {
      await Promise.all(untold().map(({ order }) => world.showOrder(order.orderKey)))
      service.arm([...remaining])
      world.advance(GRACE_MS)
      untold().forEach((attempt, index) => {
        if (recovery === 'replayed' || (recovery === 'mixed' && index % 2 === 0)) send(attempt)
      })
      await pass()
      const isFew = remaining.size <= FEW_STOPS
      if (!isFew || service.held().length === 0)
        for (let heldBefore = -FEW_NEW; service.held().length >= heldBefore + FEW_NEW;) {
          heldBefore = service.held().length
          await openAll(isFew ? 1 : MANY_COPIES)
          await pass()
          if (isFew) break
        }
    } finally {
      await service.kill()
      await bus.close()
    }
    await Promise.all(calls)
    return service.held()
  }

  try {
    for (let idle = 0; remaining.size > 0 && idle < MOST_IDLE_LIVES; lives += 1) {
      const service = next
      await service.start(REPLICAS)
      next = world.load('refunds', prepared.file)
      const taken = await live(service)
      for (const stop of taken) remaining.delete(stop)
      idle = taken.length === 0 ? idle + 1 : 0
    }
    await next.start()
    await settle(world, attempts, recovery)
  } finally {
    await next.kill()
    prepared.remove()
  }
  return { stops: prepared.stops.length, lives, refunds: attempts.length, unreached: [...remaining] }
}

const OPEN = new Set(['requested', 'sent', 'unknown', 'succeeded'])

/** Lets every refund come to its end, reads its key twice, and compares the books. */
const settle = async (world: World, attempts: readonly Attempt[], recovery: Recovery): Promise<void> => {
  world.front.mend()
  await Promise.all(attempts.map(({ order }) => world.showOrder(order.orderKey)))
  world.advance(GRACE_MS)
  const patience = { withinMs: 120_000 }
  const allSettled = async () => {
    world.advance(GRACE_MS)
    expect((await world.books.refunds()).filter(({ state }) => OPEN.has(state))).toEqual([])
    return true
  }
  if (recovery === 'reconciled') await eventually(allSettled, patience)
  for (let time = 0; time < 2; time += 1)
    await Promise.all(
      attempts.map((attempt) =>
        eventually(async () => {
          if (await ask(world, attempt, world.bus)) return true
          const refunds = (await world.books.refunds()).filter(
            ({ orderKey }) => orderKey === attempt.order.orderKey,
          )
          throw new Error(`No final answer: ${JSON.stringify({ attempt, refunds })}`)
        }, patience),
      ),
    )
  await eventually(allSettled, patience)
  await eventually(world.books.isRelayed, patience)
  const byOrder = Map.groupBy(attempts, ({ order }) => order.orderKey)
  // What was refunded elsewhere is recorded when the event of it has come.
  await eventually(async () => {
    world.advance(GRACE_MS)
    const booksOf = await world.books.readAll()
    for (const [orderKey, ofOrder] of byOrder) expectAgreement(ofOrder, booksOf(orderKey))
    const days = await world.books.days()
    expect(days?.countedCents).toBe(days?.refundedCents)
    return true
  }, patience)
}
