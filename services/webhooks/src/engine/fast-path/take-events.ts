import type { DomainEvent } from '@causeway/contracts'
import type { Destination } from '../../destinations/destination.ts'
import { noticesOf, takes, type Notice } from './fan-out.ts'
import { afterStall, isHealthy } from '../../sending/health.ts'
import { BEAT_MS } from '../../sending/active-time.ts'
import { knownEvents } from '../../events/store.ts'
import type { DeliveryEntry } from '../record/record-store.ts'
import { FirstAttempt, waitingRow } from './first-attempt.ts'
import type { EngineParts } from '../dependencies.ts'
import { PATIENCE_MS, patiently } from '../record/retry.ts'
import { Recent } from './recent-ids.ts'
import { atRest } from '../sealed-body.ts'
import { outcomeOf } from '../record/writer.ts'

/** Events under way at once. The others wait in the stream's hands: a burst queues here, not among the rows. */
const WINDOW = 256
/** What has not answered after so much running time becomes a row and leaves: no receiver holds up the stream. */
const BOUND_MS = 400
/** A receiver that takes longer is sent to from the rows, where it holds no place in the window. */
const QUICK_MS = BOUND_MS / 2
/** The stream gives an event again after 30 s at the earliest; what is older may have been handled before. */
const SURELY_NEW_MS = 20_000
/** For the same reason, what has not begun so long after it came, for this process stood still, becomes a row. */
const OURS_MS = SURELY_NEW_MS
/** A bus that was away may have lost acknowledgements, and events that are then published again. */
const DOUBT_MS = 60_000

type Flight = {
  readonly notice: Notice
  /** When another replica may have the event. */
  readonly startBeforeMs: number
  readonly attempts: FirstAttempt[]
  readonly rows: DeliveryEntry[]
  /** Running time when it began. */
  readonly sinceMs: number
  open: number
  written: Promise<void> | null
  readonly settle: (written: Promise<void>) => void
}

/**
 * First attempts straight from the stream: they are sent from memory, and then one batched statement writes down
 * events, deliveries and outcomes. A crash before the acknowledgement sends again, with the same `event_id`.
 */
export class FastPath {
  readonly #parts: EngineParts
  readonly #flights = new Set<Flight>()
  readonly #entering: (() => void)[] = []
  readonly #recent = new Recent(20_000)
  /** What each batch has under way: the stream may give an event twice, and the second waits for the first. */
  readonly #sending = new Set<Promise<unknown>>()
  #doubtUntilMs = 0
  /** Attempts under way whose events are written and acknowledged. */
  #late = 0

  constructor(parts: EngineParts) {
    this.#parts = parts
    parts.running.onBeat(() => this.#sweep())
  }

  /**
   * Resolves once everything about these events is committed. The destinations are read after the events have come,
   * so that one whose creation was answered before an event happened gets it, whichever replica the event comes to.
   */
  async accept(events: readonly DomainEvent[]): Promise<void> {
    const startBeforeMs = this.#parts.clock.nowMs() + OURS_MS
    await patiently(() => this.#parts.registry.refresh(), PATIENCE_MS)
    const [doubtful, repeated]: [Notice[], Notice[]] = [[], []]
    const flights: Promise<void>[] = []
    const isTrusted = performance.now() > this.#doubtUntilMs
    const oldestMs = isTrusted ? this.#parts.clock.nowMs() - SURELY_NEW_MS : Infinity
    for (const event of events) {
      const isFirst = this.#recent.add(event.id)
      for (const notice of noticesOf(event))
        if (!isFirst) repeated.push(notice)
        else if (notice.createdMs > oldestMs) flights.push(this.#enter(notice, startBeforeMs))
        else doubtful.push(notice)
    }
    const unknown = this.#enterUnknown(doubtful, startBeforeMs)
    await Promise.all([
      this.#underWay(Promise.all(flights)),
      unknown,
      this.#enterRepeated(repeated, unknown, startBeforeMs),
    ])
  }

  /** After the bus was away: for a while every event is looked up before it is sent. */
  doubt(): void {
    this.#doubtUntilMs = performance.now() + DOUBT_MS
  }

  /** After the stream has stopped: resolves when no attempt of this path is under way any more. */
  async stop(): Promise<void> {
    while (this.#late > 0) await new Promise((resolve) => setTimeout(resolve, BEAT_MS))
  }

  #underWay<T>(sent: Promise<T>): Promise<T> {
    this.#sending.add(sent)
    return sent.finally(() => this.#sending.delete(sent))
  }

  /** Whether a copy that came before is recorded is known once that one is no longer under way. */
  async #enterRepeated(
    notices: readonly Notice[],
    before: Promise<void>,
    startBeforeMs: number,
  ): Promise<void> {
    if (notices.length === 0) return
    await Promise.allSettled([before, ...this.#sending])
    await this.#enterUnknown(notices, startBeforeMs)
  }

  /** Leaves out what was recorded before: an event that the stream gives again is not sent again. */
  async #enterUnknown(notices: readonly Notice[], startBeforeMs: number): Promise<void> {
    if (notices.length === 0) return
    const rows = await this.#parts.db.query(knownEvents, [
      notices.map((notice) => notice.ownerId),
      notices.map((notice) => notice.eventId),
    ])
    const known = new Set(rows.map((row) => `${row.owner_id} ${row.event_id}`))
    const unknown = notices.filter((notice) => !known.has(`${notice.ownerId} ${notice.eventId}`))
    await this.#underWay(Promise.all(unknown.map((notice) => this.#enter(notice, startBeforeMs))))
  }

  #enter(notice: Notice, startBeforeMs: number): Promise<void> {
    return new Promise((settle) => {
      if (this.#flights.size < WINDOW) this.#launch(notice, startBeforeMs, settle)
      else this.#entering.push(() => this.#launch(notice, startBeforeMs, settle))
    })
  }

  #launch(notice: Notice, startBeforeMs: number, settle: Flight['settle']): void {
    const { registry, lanes, clock, running } = this.#parts
    const targets = registry.of(notice.channel, notice.ownerId).filter((target) => takes(target, notice))
    const start = { notice, startBeforeMs, sinceMs: running.ms, settle }
    const flight: Flight = { ...start, attempts: [], rows: [], open: 0, written: null }
    const body = Buffer.from(targets.length === 0 ? '' : notice.body)
    for (const target of targets)
      if (this.#mayGoNow(target)) flight.attempts.push(this.#attempt(flight, target, body))
      else flight.rows.push(waitingRow(target, notice, clock.nowMs()))
    flight.open = flight.attempts.length
    if (flight.open === 0) {
      this.#write(flight)
      return
    }
    this.#flights.add(flight)
    for (const attempt of flight.attempts) lanes.use(attempt.destination.id).offer(attempt)
  }

  /** Only to destinations that are well, quick, and have no older deliveries waiting. */
  #mayGoNow({ id }: Destination): boolean {
    const { lanes, agenda, clock } = this.#parts
    const { health } = lanes.of(id)
    const nowMs = clock.nowMs()
    return isHealthy(health, nowMs) && health.latencyMs < QUICK_MS && !agenda.hasBacklog(id, nowMs)
  }

  #attempt(flight: Flight, target: Destination, body: Buffer): FirstAttempt {
    return new FirstAttempt(target, flight, body, (attempt) => {
      if (flight.written) {
        this.#finishLate(flight.written, attempt)
        return
      }
      flight.open -= 1
      if (flight.open === 0) this.#write(flight)
    })
  }

  #write(flight: Flight): void {
    this.#flights.delete(flight)
    const { writer, lanes, clock, vault } = this.#parts
    const nowMs = clock.nowMs()
    const sent = flight.attempts.map((attempt) => attempt.toRow(lanes.of(attempt.destination.id), nowMs))
    const { notice } = flight
    for (const attempt of flight.attempts) if (attempt.leaseId !== null) this.#late += 1
    flight.written = writer.record({ event: atRest(vault, notice), deliveries: [...flight.rows, ...sent] })
    flight.settle(flight.written)
    this.#entering.shift()?.()
  }

  /** An attempt that outlived the bound: its row is there by now, leased. */
  #finishLate(written: Promise<void>, job: FirstAttempt): void {
    const { leaseId, attempt, destination, id } = job
    if (leaseId === null) return
    this.#late -= 1
    const lease = { destinationId: destination.id, id, leaseId }
    const { writer, log } = this.#parts
    written
      .then(() =>
        attempt === null
          ? writer.release(lease)
          : writer.finish({ ...lease, ...outcomeOf(destination, 0, attempt), attempt }),
      )
      .catch((error: unknown) =>
        log.warn(
          { error, deliveryId: id },
          `An outcome could not be written; it is sent again when its lease ends`,
        ),
      )
  }

  #sweep(): void {
    const { running } = this.#parts
    for (const flight of this.#flights) {
      if (running.ms - flight.sinceMs <= BOUND_MS) return
      for (const { isOver, destination } of flight.attempts) {
        const lane = this.#parts.lanes.of(destination.id)
        if (!isOver) lane.health = afterStall(lane.health, BOUND_MS)
      }
      this.#write(flight)
    }
  }
}
