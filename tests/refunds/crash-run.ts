import { newId } from '@causeway/chassis'
import { eventually, testBus } from '@causeway/chassis/testing'
import { expect } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ask, expectAgreement, KINDS, type Attempt, type Kind } from './attempts.ts'
import type { CrashPoint } from './process/crash-points.ts'
import { instrumentRefundPath } from './instrumented-path.ts'
import type { ServiceProcess } from './service-process.ts'
import { GRACE_MS, type Fixture } from './fixture.ts'

/**
 * A process is killed after this long without progress; the next one continues where it stopped. Twice as long after
 * each life that has reached nothing new, so that a slow machine gets there too.
 */
const QUIET_MS = 250
const POLL_MS = 50
const FEW_CRASH_POINTS = 24
/** A round that reaches no more new crash points than this is the last before the kill. */
const FEW_NEW = 8
const MANY_COPIES = 3
const OPENED_AT_ONCE = 8
/** A held loop reaches nothing more in its replica, so there are several. */
const REPLICAS = 8
const MAX_IDLE_LIVES = 6

/** Keys are replayed immediately after each crash, or only after the completion job completed everything. */
export type Recovery = 'replayed' | 'reconciled' | 'mixed'
export type CrashReport = Readonly<{
  crashPoints: number
  lives: number
  refunds: number
  unreached: readonly CrashPoint[]
}>

/** Writes the instrumented path to a file for the processes of a run. */
const prepare = () => {
  const { sources, points } = instrumentRefundPath()
  const folder = mkdtempSync(join(tmpdir(), 'causeway-crash-points-'))
  const file = join(folder, 'sources.json')
  writeFileSync(file, JSON.stringify(sources))
  const crashPoints = points.flatMap((at): CrashPoint[] => [`before ${at}`, `after ${at}`])
  return { file, crashPoints, remove: () => rmSync(folder, { recursive: true }) }
}

const open = async (fixture: Fixture, kind: Kind): Promise<Attempt[]> => {
  const { amountsCents = [2_500], faults = {}, end = 'made', elsewhereCents = 0 } = kind
  const order = await fixture.newOrder()
  if (elsewhereCents > 0)
    await fixture.control(`/card-refunds/${order.orderKey}`, { amount_cents: elsewhereCents })
  for (const [call, next] of Object.entries(faults))
    fixture.proxy.inject(order.paymentId, call as keyof typeof faults, next)
  if (kind.hidden)
    fixture.proxy.onRefund(order.paymentId, () => fixture.hideOrder(order.orderKey).then(() => undefined))
  return amountsCents.map((amountCents) => ({
    order,
    amountCents,
    kind: kind.name,
    key: newId('request'),
    end,
    elsewhereCents,
    answer: null,
    last: null,
  }))
}

/**
 * Runs refunds of every kind and kills their service, again and again, until some call was held at each crash point of
 * the path when it died; then completes everything and compares the state everywhere. Held refunds are of orders of their
 * own, so that one kill is a crash at each of the points that were held in it.
 */
export const crashEverywhere = async (fixture: Fixture, recovery: Recovery): Promise<CrashReport> => {
  const prepared = prepare()
  const remaining = new Set(prepared.crashPoints)
  const attempts: Attempt[] = []
  let next = fixture.load('refunds', prepared.file)
  let lives = 0

  const unanswered = () => attempts.filter(({ answer }) => answer === null)

  /** Runs refunds until no new crash point is reached, and kills the service. @returns the points that were held */
  const live = async (service: ServiceProcess, atQuietMs: number): Promise<readonly CrashPoint[]> => {
    const bus = await testBus()
    let answered = 0
    const calls: Promise<void>[] = []
    const send = (attempt: Attempt, times = 1) => {
      for (let time = 0; time < times; time += 1)
        calls.push(
          ask(fixture, attempt, bus).then(() => {
            answered += 1
          }),
        )
    }
    const becomesQuiet = async () => {
      for (let before = -1, quietMs = 0; quietMs < atQuietMs; quietMs += POLL_MS) {
        const now = answered + service.held().length
        if (now !== before) quietMs = 0
        before = now
        await delay(POLL_MS)
      }
    }
    const openAll = async (copies: number) => {
      const kinds = KINDS.flatMap((kind) => Array.from({ length: copies }, () => kind))
      const opened: { kind: Kind; made: Attempt[] }[] = []
      while (kinds.length > 0)
        opened.push(
          ...(await Promise.all(
            kinds.splice(0, OPENED_AT_ONCE).map(async (kind) => ({ kind, made: await open(fixture, kind) })),
          )),
        )
      for (const { kind, made } of opened) {
        attempts.push(...made)
        for (const attempt of made) send(attempt, kind.calls)
        const [first] = made
        if (first) void fixture.list(first.order.orderKey, bus)
        void fixture.readAsStaff(bus)
      }
    }
    const pass = async () => {
      await becomesQuiet()
      fixture.advance(GRACE_MS)
      await becomesQuiet()
      fixture.proxy.release()
      await becomesQuiet()
    }
    try {
      await Promise.all(unanswered().map(({ order }) => fixture.showOrder(order.orderKey)))
      service.arm([...remaining])
      fixture.advance(GRACE_MS)
      unanswered().forEach((attempt, index) => {
        if (recovery === 'replayed' || (recovery === 'mixed' && index % 2 === 0)) send(attempt)
      })
      await pass()
      const isFew = remaining.size <= FEW_CRASH_POINTS
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
    for (let idle = 0; remaining.size > 0 && idle < MAX_IDLE_LIVES; lives += 1) {
      const service = next
      await service.start(REPLICAS)
      next = fixture.load('refunds', prepared.file)
      const reached = await live(service, QUIET_MS * 2 ** idle)
      for (const point of reached) remaining.delete(point)
      idle = reached.length === 0 ? idle + 1 : 0
    }
    await next.start()
    await settle(fixture, attempts, recovery)
  } finally {
    await next.kill()
    prepared.remove()
  }
  return {
    crashPoints: prepared.crashPoints.length,
    lives,
    refunds: attempts.length,
    unreached: [...remaining],
  }
}

const OPEN = new Set(['requested', 'sent', 'unknown', 'succeeded'])

/** Completes every refund, replays its key twice, and compares the state everywhere. */
const settle = async (fixture: Fixture, attempts: readonly Attempt[], recovery: Recovery): Promise<void> => {
  fixture.proxy.clearFaults()
  await Promise.all(attempts.map(({ order }) => fixture.showOrder(order.orderKey)))
  fixture.advance(GRACE_MS)
  const timeout = { withinMs: 120_000 }
  const allSettled = async () => {
    fixture.advance(GRACE_MS)
    expect((await fixture.observed.refunds()).filter(({ state }) => OPEN.has(state))).toEqual([])
    return true
  }
  if (recovery === 'reconciled') await eventually(allSettled, timeout)
  for (let time = 0; time < 2; time += 1)
    await Promise.all(
      attempts.map((attempt) =>
        eventually(async () => {
          if (await ask(fixture, attempt, fixture.bus)) return true
          const refunds = (await fixture.observed.refunds()).filter(
            ({ orderKey }) => orderKey === attempt.order.orderKey,
          )
          throw new Error(`No final answer: ${JSON.stringify({ attempt, refunds })}`)
        }, timeout),
      ),
    )
  await eventually(allSettled, timeout)
  await eventually(fixture.observed.isRelayed, timeout)
  const byOrder = Map.groupBy(attempts, ({ order }) => order.orderKey)
  // A refund made outside the API is recorded once its event has arrived.
  await eventually(async () => {
    fixture.advance(GRACE_MS)
    const stateOf = await fixture.observed.readAll()
    for (const [orderKey, ofOrder] of byOrder) expectAgreement(ofOrder, stateOf(orderKey))
    const days = await fixture.observed.days()
    expect(days?.countedCents).toBe(days?.refundedCents)
    return true
  }, timeout)
}
