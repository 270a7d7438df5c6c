import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Destination } from '../../sending/destination.ts'
import { CONNECTIONS } from '../../sending/destination-queue.ts'
import { capacityWithin, expectedCostMs, isProbing } from '../../sending/health.ts'
import { claimLeaseMs, type EngineDependencies } from '../dependencies.ts'
import { startDueScan } from './scan-due.ts'
import { ClaimedSender, MAX_IN_MEMORY, TOTAL_IN_MEMORY } from './send-claimed.ts'
import { shareByPace, SLOW_MS, type Candidate } from './share-slots.ts'
import type { Priority } from '../due-index.ts'
import { claimDue, findNextDue, MAX_CLAIMED } from './store.ts'

/** For one destination, as many as are sent within about a second. */
const PACE_MS = 1_000
const TURN_MS = 5
const POLL_MS = 100

type ClaimRequest = Readonly<{
  priority: Priority
  destination: Destination
  count: number
  leaseEndMs: number
  /** Nothing that this process knows of is due before. */
  fromMs: number
}>

/** Due times have microseconds in the database. */
const ROUNDING_MS = 1

const keyOf = (priority: Priority, destinationId: string): string => `${priority} ${destinationId}`

/** Claims deliveries that wait as rows: retries, redeliveries, and first attempts that could not be sent immediately. */
export class SlowPath {
  readonly #dependencies: EngineDependencies
  readonly #sender: ClaimedSender
  readonly #scan: Readonly<{ stop: () => Promise<void> }>
  readonly #deficits: readonly [Map<string, number>, Map<string, number>] = [new Map(), new Map()]
  #isClaiming = false
  #isStopped = false
  #timer: NodeJS.Timeout | null = null
  #timerAtMs = 0

  constructor(dependencies: EngineDependencies) {
    this.#dependencies = dependencies
    this.#sender = new ClaimedSender(dependencies, () => this.#schedule(TURN_MS))
    dependencies.dueIndex.onEarlier(() => this.#schedule(TURN_MS))
    this.#schedule(POLL_MS)
    this.#scan = startDueScan(dependencies)
  }

  /** Claims nothing more. Resolves once every claimed delivery was attempted or released. */
  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#scan.stop()
    while (this.#isClaiming || this.#sender.total > 0) await sleep(TURN_MS)
  }

  #schedule(delayMs: number): void {
    const atMs = performance.now() + delayMs
    if (this.#isStopped || (this.#timer && this.#timerAtMs <= atMs)) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#timerAtMs = atMs
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#turn()
    }, delayMs)
  }

  async #turn(): Promise<void> {
    if (this.#isClaiming) return
    this.#isClaiming = true
    const { dueIndex, clock, log } = this.#dependencies
    let claimed = 0
    try {
      if (dueIndex.isDue(clock.nowMs())) claimed = await this.#claim()
    } catch (error) {
      log.warn(
        { event: 'webhooks.claim_failed', error },
        'Due deliveries could not be claimed; the next turn retries',
      )
    }
    this.#isClaiming = false
    this.#schedule(claimed > 0 ? TURN_MS : POLL_MS)
  }

  /** @returns how many deliveries it claimed */
  async #claim(): Promise<number> {
    const { dueIndex, clock, db, registry } = this.#dependencies
    const nowMs = clock.nowMs()
    const [first, retries] = dueIndex.due(nowMs)
    const requests = this.#share(first, retries, nowMs)
    if (requests.length === 0) return 0
    for (const { priority, destination } of requests) dueIndex.delete(priority, destination.id)
    const addBack = ({ priority, destination }: ClaimRequest, fromMs: number) =>
      dueIndex.add(priority, destination.id, fromMs)
    const leaseId = randomUUID()
    try {
      const rows = await claimDue(db.pooled, {
        priorities: requests.map((request) => request.priority),
        destinationIds: requests.map((request) => request.destination.id),
        counts: requests.map((request) => request.count),
        leaseEndsMs: requests.map((request) => request.leaseEndMs),
        fromsMs: requests.map((request) => request.fromMs - ROUNDING_MS),
        nowMs,
        leaseId,
      })
      await registry.reach(rows[0]?.revision ?? 0)
      const claimed = new Map<string, number[]>()
      for (const { priority, destinationId, dueMs } of rows) {
        const key = keyOf(priority, destinationId)
        const dueTimes = claimed.get(key)
        if (dueTimes === undefined) claimed.set(key, [dueMs])
        else dueTimes.push(dueMs)
      }
      // One that was claimed in full may have more that is due, from the last of these on.
      const emptied: ClaimRequest[] = []
      for (const request of requests) {
        const dueTimes = claimed.get(keyOf(request.priority, request.destination.id)) ?? []
        if (dueTimes.length === request.count) addBack(request, Math.max(...dueTimes))
        else emptied.push(request)
      }
      const leaseEnds = new Map(requests.map((request) => [request.destination.id, request.leaseEndMs]))
      for (const row of rows)
        if (!row.isStopped)
          this.#sender.send(row, { leaseId, endMs: leaseEnds.get(row.destinationId) ?? nowMs })
      await this.#findNext(emptied, nowMs)
      return rows.length
    } catch (error) {
      for (const request of requests) addBack(request, request.fromMs)
      throw error
    }
  }

  /** The due index knows one time of a destination, which is used up: the next is in the rows. */
  async #findNext(requests: readonly ClaimRequest[], afterMs: number): Promise<void> {
    if (requests.length === 0) return
    const { dueIndex, db } = this.#dependencies
    const next = await findNextDue(db.pooled, {
      priorities: requests.map((request) => request.priority),
      destinationIds: requests.map((request) => request.destination.id),
      afterMs,
    })
    for (const { priority, destinationId, dueMs } of next) dueIndex.add(priority, destinationId, dueMs)
  }

  /** Divides the free slots, first attempts first. */
  #share(first: readonly string[], retries: readonly string[], nowMs: number): ClaimRequest[] {
    const { registry, dueIndex } = this.#dependencies
    const requests: ClaimRequest[] = []
    const taken = new Map<string, number>()
    for (const [priority, ids] of [[0, first] as const, [1, retries] as const]) {
      const { inMemory, slow } = this.#sender.slotsOf(priority)
      const most = MAX_IN_MEMORY[priority]
      const free = Math.min(most - inMemory, TOTAL_IN_MEMORY - this.#sender.total - sum(taken))
      const candidates = ids.flatMap((id) => this.#candidate(priority, id, taken.get(id) ?? 0, nowMs))
      const slots = { free, all: most, slow }
      for (const [id, count] of shareByPace(candidates, slots, this.#deficits[priority])) {
        const destination = registry.get(id)
        if (!destination || count === 0) continue
        taken.set(id, (taken.get(id) ?? 0) + count)
        const leaseEndMs = nowMs + claimLeaseMs(destination.policy.timeoutMs)
        const fromMs = dueIndex.dueMsOf(priority, id)
        requests.push({ priority, destination, count, leaseEndMs, fromMs })
      }
    }
    return requests
  }

  #candidate(priority: Priority, id: string, taken: number, nowMs: number): Candidate[] {
    const { registry, queues, dueIndex } = this.#dependencies
    if (!registry.get(id)) {
      dueIndex.delete(priority, id)
      return []
    }
    const { health } = queues.of(id)
    const pace = Math.max(Math.min(capacityWithin(health, PACE_MS, CONNECTIONS), MAX_CLAIMED), 1)
    const most = isProbing(health, nowMs) ? 1 : pace
    const room = most - this.#sender.inMemoryFor(id) - taken
    // Half a load at a time: a claim for every single answer would be a round trip each.
    return room >= most / 2 ? [{ id, costMs: expectedCostMs(health, SLOW_MS), room }] : []
  }
}

const sum = (counts: ReadonlyMap<string, number>): number => {
  let total = 0
  for (const count of counts.values()) total += count
  return total
}
