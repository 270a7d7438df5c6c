import { randomUUID } from 'node:crypto'
import { CONNECTIONS, type Job } from '../../sending/destination-queue.ts'
import type { Attempt } from '../../sending/attempt.ts'
import type { Destination } from '../../destinations/destination.ts'
import { shareByPace, SLOW_MS, type Candidate } from './share-slots.ts'
import { capacityWithin, expectedCostMs, isProbing } from '../../sending/health.ts'
import { claimDue, MOST_CLAIMED, surveyWaiting, type Claimed } from './store.ts'
import type { DeliveryLane } from './due-index.ts'
import { LEASE_MARGIN_MS, type EngineParts } from '../dependencies.ts'
import { bodyOf } from '../sealed-body.ts'
import { outcomeOf } from '../record/writer.ts'

/** Deliveries from rows that are in memory at the same time. */
const SLOTS = 512
/** First attempts always have half of the slots to themselves, retries an eighth. */
const MOST = [SLOTS - SLOTS / 8, SLOTS / 2] as const
/** For one destination, so many that they are sent within about a second, and no more than one claim takes. */
const MAX_HELD = MOST_CLAIMED
const PACE_MS = 1_000
/** How long a claimed delivery may wait for its turn before it goes back. */
const WAIT_MS = 5_000
const TURN_MS = 5
const POLL_MS = 100
const SURVEY_MS = 500
/** What is due later is for a later survey: thousands of destinations may wait for their retries. */
const HORIZON_MS = 30_000
/** A survey takes a tenth of the time at most, however many destinations wait. */
const SURVEY_SHARE = 10

type Ask = Readonly<{ lane: DeliveryLane; destination: Destination; count: number; leaseEndMs: number }>

/** Deliveries that wait as rows: retries, redeliveries, and first attempts that could not go out at once. */
export class SlowPath {
  readonly #parts: EngineParts
  readonly #held: [first: number, retries: number] = [0, 0]
  readonly #heldBySlow: [first: number, retries: number] = [0, 0]
  readonly #heldFor = new Map<string, number>()
  readonly #deficits: readonly [Map<string, number>, Map<string, number>] = [new Map(), new Map()]
  #turning = false
  #stopped = false
  #timer: NodeJS.Timeout | null = null
  #timerAtMs = 0
  #surveying: Promise<void> = Promise.resolve()
  #surveyTimer: NodeJS.Timeout | null = null

  constructor(parts: EngineParts) {
    this.#parts = parts
    parts.agenda.onSooner(() => this.#schedule(TURN_MS))
    this.#schedule(POLL_MS)
    this.#surveyLater(0)
  }

  /** Claims nothing more. Resolves once every claimed delivery was attempted or given back. */
  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#surveyTimer) clearTimeout(this.#surveyTimer)
    await this.#surveying
    while (this.#turning || this.#held[0] + this.#held[1] > 0)
      await new Promise((resolve) => setTimeout(resolve, TURN_MS))
  }

  #schedule(delayMs: number): void {
    const atMs = performance.now() + delayMs
    if (this.#stopped || (this.#timer && this.#timerAtMs <= atMs)) return
    if (this.#timer) clearTimeout(this.#timer)
    this.#timerAtMs = atMs
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#turn()
    }, delayMs)
  }

  async #turn(): Promise<void> {
    if (this.#turning) return
    this.#turning = true
    let claimed = 0
    try {
      if (this.#parts.agenda.isDue(this.#parts.clock.nowMs())) claimed = await this.#claim()
    } catch (error) {
      this.#parts.log.warn({ error }, 'Due deliveries could not be claimed; the next round tries again')
    }
    this.#turning = false
    this.#schedule(claimed > 0 ? TURN_MS : POLL_MS)
  }

  /** @returns how many deliveries it took */
  async #claim(): Promise<number> {
    const { agenda, clock, db } = this.#parts
    const nowMs = clock.nowMs()
    const [first, retries] = agenda.due(nowMs)
    const asks = this.#share(first, retries, nowMs)
    if (asks.length === 0) return 0
    for (const ask of asks) agenda.take(ask.lane, ask.destination.id)
    const leaseId = randomUUID()
    const again = (ask: Ask) => agenda.add(ask.lane, ask.destination.id, nowMs)
    try {
      const rows = await db.apart.query(claimDue, [
        asks.map((ask) => ask.lane),
        asks.map((ask) => ask.destination.id),
        asks.map((ask) => ask.count),
        asks.map((ask) => ask.leaseEndMs),
        nowMs,
        leaseId,
      ])
      await this.#parts.registry.reach(rows[0]?.revision ?? 0)
      const got = new Map<string, number>()
      for (const row of rows) {
        const key = `${row.lane} ${row.destination_id}`
        got.set(key, (got.get(key) ?? 0) + 1)
      }
      for (const ask of asks) if (got.get(`${ask.lane} ${ask.destination.id}`) === ask.count) again(ask)
      const leaseEnds = new Map(asks.map((ask) => [ask.destination.id, ask.leaseEndMs]))
      for (const row of rows) this.#send(row, leaseId, leaseEnds.get(row.destination_id) ?? nowMs)
      return rows.length
    } catch (error) {
      for (const ask of asks) again(ask)
      throw error
    }
  }

  /** Divides the free slots, first attempts first. */
  #share(first: readonly string[], retries: readonly string[], nowMs: number): Ask[] {
    const asks: Ask[] = []
    const taken = new Map<string, number>()
    for (const [lane, ids] of [[0, first] as const, [1, retries] as const]) {
      const free = Math.min(MOST[lane] - this.#held[lane], SLOTS - this.#held[0] - this.#held[1] - sum(taken))
      const candidates = ids.flatMap((id) => this.#candidate(lane, id, taken.get(id) ?? 0, nowMs))
      const slots = { free, all: MOST[lane], heldBySlow: this.#heldBySlow[lane] }
      for (const [id, count] of shareByPace(candidates, slots, this.#deficits[lane])) {
        const destination = this.#parts.registry.get(id)
        if (!destination || count === 0) continue
        taken.set(id, (taken.get(id) ?? 0) + count)
        const leaseEndMs = nowMs + WAIT_MS + destination.policy.timeoutMs + LEASE_MARGIN_MS
        asks.push({ lane, destination, count, leaseEndMs })
      }
    }
    return asks
  }

  #candidate(lane: DeliveryLane, id: string, taken: number, nowMs: number): Candidate[] {
    const { registry, lanes, agenda } = this.#parts
    if (!registry.get(id)) {
      agenda.take(lane, id)
      return []
    }
    const { health } = lanes.of(id)
    const pace = Math.max(Math.min(capacityWithin(health, PACE_MS, CONNECTIONS), MAX_HELD), 1)
    const most = isProbing(health, nowMs) ? 1 : pace
    const room = most - (this.#heldFor.get(id) ?? 0) - taken
    // Half a load at a time: a claim for every single answer would be a round trip each.
    return room >= most / 2 ? [{ id, costMs: expectedCostMs(health, SLOW_MS), room }] : []
  }

  /** Null: no key that is known here has sealed it. Its lease ends by itself, and then it is tried again. */
  #bodyOf(row: Claimed): Buffer | null {
    const { vault, log } = this.#parts
    try {
      return Buffer.from(bodyOf(vault, row))
    } catch (error) {
      const fields = { event: 'delivery.body_unreadable', error, deliveryId: row.id, eventId: row.event_id }
      log.error(fields, 'The sealed body of a delivery could not be opened; it is tried again')
      return null
    }
  }

  #send(row: Claimed, leaseId: string, leaseEndMs: number): void {
    const body = this.#bodyOf(row)
    if (body === null) return
    const { registry, lanes } = this.#parts
    const { destination_id: destinationId, id, lane } = row
    const timeoutMs = registry.get(destinationId)?.policy.timeoutMs ?? 0
    let current: Destination | null = null
    const slow = expectedCostMs(lanes.of(destinationId).health, SLOW_MS) >= SLOW_MS ? 1 : 0
    this.#hold(lane, destinationId, 1)
    this.#heldBySlow[lane] += slow
    const job: Job = {
      body,
      startBeforeMs: leaseEndMs - LEASE_MARGIN_MS / 2 - timeoutMs,
      withdrawn: false,
      started: (destination) => {
        current = destination
      },
      done: (attempt) => {
        this.#hold(lane, destinationId, -1)
        this.#heldBySlow[lane] -= slow
        this.#settle({ destinationId, id, leaseId }, row.retries_used, current, attempt)
        this.#schedule(TURN_MS)
      },
    }
    lanes.use(destinationId).offer(job)
  }

  #hold(lane: DeliveryLane, destinationId: string, change: 1 | -1): void {
    this.#held[lane] += change
    const held = (this.#heldFor.get(destinationId) ?? 0) + change
    if (held === 0) this.#heldFor.delete(destinationId)
    else this.#heldFor.set(destinationId, held)
  }

  #settle(
    lease: { destinationId: string; id: string; leaseId: string },
    retriesUsed: number,
    destination: Destination | null,
    attempt: Attempt | null,
  ): void {
    const { writer, log } = this.#parts
    const written =
      destination === null || attempt === null
        ? writer.release(lease)
        : writer.finish({ ...lease, ...outcomeOf(destination, retriesUsed, attempt), attempt })
    written.catch((error: unknown) =>
      log.warn(
        { error, deliveryId: lease.id },
        'An outcome could not be written; the delivery is sent again when its lease ends',
      ),
    )
  }

  #surveyLater(delayMs: number): void {
    if (this.#stopped) return
    this.#surveyTimer = setTimeout(() => {
      this.#surveying = this.#survey()
    }, delayMs)
  }

  /** Learns what other replicas, or this process before its restart, left waiting. */
  async #survey(): Promise<void> {
    const { db, agenda, clock, log } = this.#parts
    const begunMs = performance.now()
    try {
      const rows = await db.apart.query(surveyWaiting, [clock.nowMs() + HORIZON_MS])
      agenda.learn(
        rows.map((row) => ({ lane: row.lane, destinationId: row.destination_id, dueMs: row.due_ms })),
      )
    } catch (error) {
      log.warn({ error }, 'The waiting deliveries could not be surveyed; the next round tries again')
    }
    this.#surveyLater(Math.max(SURVEY_MS, SURVEY_SHARE * (performance.now() - begunMs)))
  }
}

const sum = (counts: ReadonlyMap<string, number>): number => {
  let total = 0
  for (const count of counts.values()) total += count
  return total
}
