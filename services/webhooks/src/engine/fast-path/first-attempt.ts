import { newIdAt } from '@causeway/chassis'
import { randomUUID } from 'node:crypto'
import type { Destination } from '../../sending/destination.ts'
import type { Attempt } from '../../sending/attempt.ts'
import type { DestinationQueue, Job } from '../../sending/destination-queue.ts'
import { LEASE_MARGIN_MS } from '../dependencies.ts'
import { outcomeOf } from '../record/outcome.ts'
import type { DeliveryEntry } from '../record/record-store.ts'
import type { EventCopy } from './fan-out.ts'

/** A delivery that is sent straight from memory, before anything of it is recorded. */
export class FirstAttempt implements Job {
  /** Made when the row is: ids are in the order of the rows' times. */
  id = ''
  readonly body: Buffer
  readonly startBeforeMs: number
  withdrawn = false
  attempt: Attempt | null = null
  isOver = false
  /** Set when the delivery is recorded while its attempt is still under way. */
  leaseId: string | null = null
  /** The destination as it was when the attempt began. */
  #begunAt: Destination | null = null
  readonly destination: Destination
  readonly #copy: EventCopy
  readonly #onDone: (self: FirstAttempt) => void

  /** @param startBeforeMs when the stream may give the event to another replica */
  constructor(
    destination: Destination,
    { copy, startBeforeMs }: Readonly<{ copy: EventCopy; startBeforeMs: number }>,
    body: Buffer,
    onDone: (self: FirstAttempt) => void,
  ) {
    this.destination = destination
    this.body = body
    this.startBeforeMs = startBeforeMs
    this.#copy = copy
    this.#onDone = onDone
  }

  started = (destination: Destination): void => {
    this.#begunAt = destination
  }

  done = (attempt: Attempt | null): void => {
    this.attempt = attempt
    this.isOver = true
    this.#onDone(this)
  }

  /** The row in the attempt's present state: ended, to be retried, leased while under way, or withdrawn. */
  toRow(queue: DestinationQueue, nowMs: number): DeliveryEntry {
    const waiting = waitingRow(this.destination, this.#copy, nowMs)
    this.id = waiting.id
    if (this.attempt !== null) {
      const outcome = outcomeOf(this.#begunAt ?? this.destination, 0, this.attempt)
      return { ...waiting, ...outcome, priority: 1, attempt: this.attempt }
    }
    if (this.#begunAt === null || this.isOver) {
      if (!this.isOver) queue.withdraw(this)
      return waiting
    }
    this.leaseId = randomUUID()
    const leaseEndMs = nowMs + this.#begunAt.policy.timeoutMs + LEASE_MARGIN_MS
    return { ...waiting, dueMs: leaseEndMs, leaseId: this.leaseId }
  }
}

/** The row of a delivery that the slow path sends. */
export const waitingRow = (destination: Destination, copy: EventCopy, nowMs: number): DeliveryEntry => ({
  destinationId: destination.id,
  id: newIdAt('delivery', nowMs),
  ownerId: copy.ownerId,
  eventId: copy.eventId,
  eventType: copy.type,
  state: 'waiting',
  priority: 0,
  retriesUsed: 0,
  dueMs: nowMs,
  nextAttemptMs: nowMs,
  leaseId: null,
  createdMs: nowMs,
  attempt: null,
})
