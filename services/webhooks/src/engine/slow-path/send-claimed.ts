import type { Destination } from '../../sending/destination.ts'
import type { Attempt } from '../../sending/attempt.ts'
import type { Job } from '../../sending/destination-queue.ts'
import { expectedCostMs } from '../../sending/health.ts'
import { LEASE_MARGIN_MS, type EngineDependencies } from '../dependencies.ts'
import { outcomeOf } from '../record/outcome.ts'
import type { Lease } from '../record/finish-store.ts'
import { bodyOf } from '../sealed-body.ts'
import { SLOW_MS } from './share-slots.ts'
import type { Priority } from '../due-index.ts'
import type { ClaimedDelivery } from './store.ts'

/** Claimed deliveries that are in memory at the same time. */
export const TOTAL_IN_MEMORY = 512
/** By priority: first attempts always have half of the slots to themselves, retries an eighth. */
export const MAX_IN_MEMORY = [TOTAL_IN_MEMORY - TOTAL_IN_MEMORY / 8, TOTAL_IN_MEMORY / 2] as const

/** Sends claimed deliveries, finishes or releases them, and counts those in memory. */
export class ClaimedSender {
  readonly #dependencies: EngineDependencies
  readonly #onDone: () => void
  readonly #inMemory: [first: number, retries: number] = [0, 0]
  readonly #slow: [first: number, retries: number] = [0, 0]
  readonly #byDestination = new Map<string, number>()

  /** @param onDone called whenever a slot becomes free */
  constructor(dependencies: EngineDependencies, onDone: () => void) {
    this.#dependencies = dependencies
    this.#onDone = onDone
  }

  get total(): number {
    return this.#inMemory[0] + this.#inMemory[1]
  }

  /** Deliveries in memory of one priority, and those of them that go to slow destinations. */
  slotsOf(priority: Priority): Readonly<{ inMemory: number; slow: number }> {
    return { inMemory: this.#inMemory[priority], slow: this.#slow[priority] }
  }

  inMemoryFor(destinationId: string): number {
    return this.#byDestination.get(destinationId) ?? 0
  }

  send(row: ClaimedDelivery, { leaseId, endMs }: Readonly<{ leaseId: string; endMs: number }>): void {
    const body = this.#openBody(row)
    if (body === null) return
    const { registry, queues } = this.#dependencies
    const { destinationId, id, priority } = row
    const timeoutMs = registry.get(destinationId)?.policy.timeoutMs ?? 0
    let current: Destination | null = null
    const slow = expectedCostMs(queues.of(destinationId).health, SLOW_MS) >= SLOW_MS ? 1 : 0
    this.#count(priority, destinationId, 1)
    this.#slow[priority] += slow
    const job: Job = {
      eventId: row.eventId,
      body,
      traceparent: row.traceparent,
      retriesUsed: row.retriesUsed,
      startBeforeMs: endMs - LEASE_MARGIN_MS / 2 - timeoutMs,
      withdrawn: false,
      started: (destination) => {
        current = destination
      },
      done: (attempt) => {
        this.#count(priority, destinationId, -1)
        this.#slow[priority] -= slow
        this.#finish({ destinationId, id, leaseId }, row.retriesUsed, current, attempt)
        this.#onDone()
      },
    }
    queues.use(destinationId).offer(job)
  }

  /** Returns null if no key of this service opens it. Its lease then expires, and it is retried. */
  #openBody(row: ClaimedDelivery): Buffer | null {
    const { vault, log } = this.#dependencies
    try {
      return Buffer.from(bodyOf(vault, row))
    } catch (error) {
      log.error(
        { event: 'delivery.body_unreadable', error, deliveryId: row.id, eventId: row.eventId },
        'The sealed body of a delivery could not be opened; it is retried',
      )
      return null
    }
  }

  #count(priority: Priority, destinationId: string, change: 1 | -1): void {
    this.#inMemory[priority] += change
    const count = this.inMemoryFor(destinationId) + change
    if (count === 0) this.#byDestination.delete(destinationId)
    else this.#byDestination.set(destinationId, count)
  }

  #finish(lease: Lease, retriesUsed: number, destination: Destination | null, attempt: Attempt | null): void {
    const { writer, log } = this.#dependencies
    const written =
      destination === null || attempt === null
        ? writer.release(lease)
        : writer.finish({ ...lease, ...outcomeOf(destination, retriesUsed, attempt), attempt })
    written.catch((error: unknown) =>
      log.warn(
        { event: 'webhooks.outcome_not_recorded', error, deliveryId: lease.id },
        'The outcome of an attempt could not be recorded; the delivery is sent again when its lease ends',
      ),
    )
  }
}
