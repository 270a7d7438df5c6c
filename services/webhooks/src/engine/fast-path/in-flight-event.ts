import type { Waiter } from '../record/batch-writer.ts'
import type { DeliveryEntry } from '../record/record-store.ts'
import type { EventCopy } from './fan-out.ts'
import type { FirstAttempt } from './first-attempt.ts'

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
  /** Of destinations that are sent to from their rows. */
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

/** One promise for many events. It is settled when all of them are, so that nothing of the batch is under way any more. */
export class BatchInFlight implements Waiter {
  #left: number
  #failure: { error: unknown } | null = null
  readonly #whole = Promise.withResolvers<undefined>()

  /** @param size how many are waited for */
  constructor(size: number) {
    this.#left = size
    if (size === 0) this.#whole.resolve(undefined)
  }

  /** Rejects with the first failure. */
  get settled(): Promise<void> {
    return this.#whole.promise
  }

  resolve(): void {
    this.#left -= 1
    if (this.#left > 0) return
    if (this.#failure === null) this.#whole.resolve(undefined)
    else this.#whole.reject(this.#failure.error)
  }

  reject(error: unknown): void {
    this.#failure ??= { error }
    this.resolve()
  }
}
