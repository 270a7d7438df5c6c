import { newIdAt } from '@causeway/chassis'
import { randomUUID } from 'node:crypto'
import type { Destination } from '../../sending/destination.ts'
import type { Attempt } from '../../sending/attempt.ts'
import type { Job } from '../../sending/destination-queue.ts'
import { LEASE_MARGIN_MS } from '../dependencies.ts'
import type { Waiter } from '../record/batch-writer.ts'
import { outcomeOf, type Outcome } from '../record/outcome.ts'
import type { DeliveryEntry } from '../record/record-store.ts'
import type { EventCopy } from './fan-out.ts'

/** One owner's copy of an event while its first attempts are made. */
export type InFlightEvent = {
  readonly copy: EventCopy
  /** When another replica may have the event. */
  readonly startBeforeMs: number
  /** Learns when the event is recorded. */
  readonly batch: Waiter
  /** Active time when it began. */
  startedMs: number
  attempts: readonly FirstAttempt[]
  /** Deliveries to destinations that are served from their rows. */
  rows: readonly DeliveryEntry[]
  unanswered: number
  /** Set when it is recorded while an attempt is under way. */
  recorded: Promise<void> | null
}

const NONE: readonly never[] = []

export const newInFlightEvent = (copy: EventCopy, startBeforeMs: number, batch: Waiter): InFlightEvent => ({
  copy,
  startBeforeMs,
  batch,
  startedMs: 0,
  attempts: NONE,
  rows: NONE,
  unanswered: 0,
  recorded: null,
})

/** A delivery that is sent straight from memory, before anything of it is recorded. */
export class FirstAttempt implements Job {
  /** Made when the row is: ids are in the order of the rows' times. */
  id = ''
  readonly body: Buffer
  withdrawn = false
  attempt: Attempt | null = null
  isOver = false
  /** Set when the delivery is recorded while its attempt is still under way. */
  leaseId: string | null = null
  /** The destination as it was when the attempt began. */
  #begunAt: Destination | null = null
  readonly destination: Destination
  readonly event: InFlightEvent
  readonly #onDone: (self: FirstAttempt) => void

  /** @param onDone one function for all attempts: each knows its event */
  constructor(
    destination: Destination,
    event: InFlightEvent,
    body: Buffer,
    onDone: (self: FirstAttempt) => void,
  ) {
    this.destination = destination
    this.event = event
    this.body = body
    this.#onDone = onDone
  }

  get startBeforeMs(): number {
    return this.event.startBeforeMs
  }

  get eventId(): string {
    return this.event.copy.eventId
  }

  get traceparent(): string | null {
    return this.event.copy.traceparent
  }

  get isWaiting(): boolean {
    return this.#begunAt === null && !this.isOver
  }

  started(destination: Destination): void {
    this.#begunAt = destination
  }

  done(attempt: Attempt | null): void {
    this.attempt = attempt
    this.isOver = true
    this.#onDone(this)
  }

  /** The row in the attempt's present state: ended, to be retried, leased while under way, or not begun. */
  toRow(nowMs: number): DeliveryEntry {
    const { destination, attempt } = this
    const { copy } = this.event
    this.id = newIdAt('delivery', nowMs)
    if (attempt !== null) {
      const outcome = outcomeOf(this.#begunAt ?? destination, 0, attempt)
      return rowOf(destination, copy, { id: this.id, nowMs, outcome, attempt, leaseId: null })
    }
    if (this.#begunAt === null || this.isOver) return waitingRow(destination, copy, nowMs, this.id)
    this.leaseId = randomUUID()
    const leaseEndMs = nowMs + this.#begunAt.policy.timeoutMs + LEASE_MARGIN_MS
    const outcome = { ...waitingSince(nowMs), dueMs: leaseEndMs }
    return rowOf(destination, copy, { id: this.id, nowMs, outcome, attempt: null, leaseId: this.leaseId })
  }
}

type Made = Pick<DeliveryEntry, 'id' | 'leaseId' | 'attempt'> & Readonly<{ nowMs: number; outcome: Outcome }>

const waitingSince = (nowMs: number): Outcome => ({
  state: 'waiting',
  retriesUsed: 0,
  dueMs: nowMs,
  nextAttemptMs: nowMs,
})

/** In one piece: rows are held until they are committed, and there is one a delivery. */
const rowOf = (destination: Destination, copy: EventCopy, made: Made): DeliveryEntry => ({
  destinationId: destination.id,
  id: made.id,
  ownerId: copy.ownerId,
  eventId: copy.eventId,
  eventType: copy.type,
  state: made.outcome.state,
  priority: made.attempt === null ? 0 : 1,
  retriesUsed: made.outcome.retriesUsed,
  dueMs: made.outcome.dueMs,
  nextAttemptMs: made.outcome.nextAttemptMs,
  leaseId: made.leaseId,
  createdMs: made.nowMs,
  attempt: made.attempt,
})

/** The row of a delivery that the slow path sends. */
export const waitingRow = (
  destination: Destination,
  copy: EventCopy,
  nowMs: number,
  id = newIdAt('delivery', nowMs),
): DeliveryEntry =>
  rowOf(destination, copy, { id, nowMs, outcome: waitingSince(nowMs), attempt: null, leaseId: null })
