import { z } from 'zod'

/** 0: first attempts; 1: retries and redeliveries. The column is `deliveries.lane`. */
export const Priority = z.literal([0, 1])
export type Priority = z.infer<typeof Priority>

/**
 * When the next waiting row of each priority and destination is due, as far as this process knows. Other replicas
 * write rows as well: the scan adds theirs.
 */
export class DueIndex {
  readonly #dueMs: readonly [Map<string, number>, Map<string, number>] = [new Map(), new Map()]
  /** Nothing is due before this; it spares a look at ten thousand destinations that wait for their retries. */
  #earliestMs = Infinity
  #onEarlier = () => {}

  /** A row is due at this time. What another replica has claimed meanwhile costs an empty claim. */
  add(priority: Priority, destinationId: string, dueMs: number): void {
    const known = this.#dueMs[priority].get(destinationId)
    if (known === undefined || dueMs < known) this.#dueMs[priority].set(destinationId, dueMs)
    if (dueMs >= this.#earliestMs) return
    this.#earliestMs = dueMs
    this.#onEarlier()
  }

  /** Nothing that this process knows of is due before; rows of other replicas may be, until the scan has found them. */
  dueMsOf(priority: Priority, destinationId: string): number {
    return this.#dueMs[priority].get(destinationId) ?? 0
  }

  /** Called when something is due before everything known so far. */
  onEarlier(listener: () => void): void {
    this.#onEarlier = listener
  }

  /** Removes a destination that a claim is about to read from the rows. */
  delete(priority: Priority, destinationId: string): void {
    this.#dueMs[priority].delete(destinationId)
  }

  /** Checks whether first attempts wait as rows, so that a newer one must queue behind them. */
  hasBacklog(destinationId: string, nowMs: number): boolean {
    const dueMs = this.#dueMs[0].get(destinationId)
    return dueMs !== undefined && dueMs <= nowMs
  }

  isDue(nowMs: number): boolean {
    return this.#earliestMs <= nowMs
  }

  /** The destinations that are due in each priority, the longest unserved first. */
  due(nowMs: number): [first: string[], retries: string[]] {
    this.#earliestMs = Infinity
    return [this.#dueIn(0, nowMs), this.#dueIn(1, nowMs)]
  }

  #dueIn(priority: Priority, nowMs: number): string[] {
    const found: string[] = []
    for (const [destinationId, dueMs] of this.#dueMs[priority]) {
      if (dueMs <= nowMs) found.push(destinationId)
      this.#earliestMs = Math.min(this.#earliestMs, dueMs)
    }
    return found
  }
}
