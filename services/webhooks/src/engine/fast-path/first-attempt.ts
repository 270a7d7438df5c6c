import { newIdAt } from '@causeway/chassis'
import { randomUUID } from 'node:crypto'
import type { Job, Lane } from '../../sending/destination-queue.ts'
import type { Attempt } from '../../sending/attempt.ts'
import type { Destination } from '../../destinations/destination.ts'
import type { Notice } from './fan-out.ts'
import type { DeliveryEntry } from '../record/record-store.ts'
import { LEASE_MARGIN_MS } from '../dependencies.ts'
import { outcomeOf } from '../record/writer.ts'

/** A delivery that goes out straight from memory, before anything of it is written. */
export class FirstAttempt implements Job {
  /** Minted when the row is: ids are in the order of the rows' times. */
  id = ''
  readonly body: Buffer
  readonly startBeforeMs: number
  withdrawn = false
  attempt: Attempt | null = null
  isOver = false
  /** Set when the delivery is written down while its attempt is still under way. */
  leaseId: string | null = null
  #begun: Destination | null = null
  readonly destination: Destination
  readonly #notice: Notice
  readonly #over: (self: FirstAttempt) => void

  /** @param startBeforeMs when the stream may give the event to another replica */
  constructor(
    destination: Destination,
    { notice, startBeforeMs }: Readonly<{ notice: Notice; startBeforeMs: number }>,
    body: Buffer,
    over: (self: FirstAttempt) => void,
  ) {
    this.destination = destination
    this.body = body
    this.startBeforeMs = startBeforeMs
    this.#notice = notice
    this.#over = over
  }

  started = (destination: Destination): void => {
    this.#begun = destination
  }

  done = (attempt: Attempt | null): void => {
    this.attempt = attempt
    this.isOver = true
    this.#over(this)
  }

  /** The row as things stand: ended, to be retried, under way with a lease, or not begun and taken back. */
  toRow(lane: Lane, nowMs: number): DeliveryEntry {
    this.id = newIdAt('delivery', nowMs)
    const base = { ...keysOf(this.destination, this.#notice), id: this.id }
    if (this.attempt !== null) {
      const outcome = outcomeOf(this.#begun ?? this.destination, 0, this.attempt)
      return { ...base, ...outcome, lane: 1, leaseId: null, attempt: this.attempt }
    }
    const waiting = { ...base, state: 'waiting', lane: 0, retriesUsed: 0, nextAttemptMs: nowMs } as const
    if (this.#begun === null || this.isOver) {
      if (!this.isOver) lane.withdraw(this)
      return { ...waiting, dueMs: nowMs, leaseId: null, attempt: null }
    }
    this.leaseId = randomUUID()
    const leaseEndMs = nowMs + this.#begun.policy.timeoutMs + LEASE_MARGIN_MS
    return { ...waiting, dueMs: leaseEndMs, leaseId: this.leaseId, attempt: null }
  }
}

const keysOf = (destination: Destination, notice: Notice) => ({
  destinationId: destination.id,
  ownerId: notice.ownerId,
  eventId: notice.eventId,
  eventType: notice.type,
})

/** The row of a delivery that waits its turn among the rows. */
export const waitingRow = (destination: Destination, notice: Notice, nowMs: number): DeliveryEntry => ({
  ...keysOf(destination, notice),
  id: newIdAt('delivery', nowMs),
  state: 'waiting',
  lane: 0,
  retriesUsed: 0,
  dueMs: nowMs,
  nextAttemptMs: nowMs,
  leaseId: null,
  attempt: null,
})
