/** 0: first attempts; 1: retries and redeliveries. */
export type DeliveryLane = 0 | 1

/**
 * What this process knows of the rows: when the next one of each lane and destination is due. It may know too little,
 * for other replicas write rows as well; the survey of the rows, made again and again, tells it the rest.
 */
export class Agenda {
  readonly #dueMs: readonly [Map<string, number>, Map<string, number>] = [new Map(), new Map()]
  /** Nothing is due before this; it spares a look at ten thousand destinations that wait for their retries. */
  #soonestMs = Infinity
  #sooner = () => {}

  /** A row is due at this time. */
  add(lane: DeliveryLane, destinationId: string, dueMs: number): void {
    const known = this.#dueMs[lane].get(destinationId)
    if (known === undefined || dueMs < known) this.#dueMs[lane].set(destinationId, dueMs)
    if (dueMs >= this.#soonestMs) return
    this.#soonestMs = dueMs
    this.#sooner()
  }

  /** Called when something is due before everything known so far. */
  onSooner(listener: () => void): void {
    this.#sooner = listener
  }

  /** Forgets what is due here, as a claim is about to read it from the rows. */
  take(lane: DeliveryLane, destinationId: string): void {
    this.#dueMs[lane].delete(destinationId)
  }

  /** Whether first attempts are waiting as rows, so that a newer one has to queue behind them. */
  hasBacklog(destinationId: string, nowMs: number): boolean {
    const dueMs = this.#dueMs[0].get(destinationId)
    return dueMs !== undefined && dueMs <= nowMs
  }

  isDue(nowMs: number): boolean {
    return this.#soonestMs <= nowMs
  }

  /** What is due in each lane, the longest unserved first. */
  due(nowMs: number): [first: string[], retries: string[]] {
    this.#soonestMs = Infinity
    return [this.#dueIn(0, nowMs), this.#dueIn(1, nowMs)]
  }

  #dueIn(lane: DeliveryLane, nowMs: number): string[] {
    const found: string[] = []
    for (const [destinationId, dueMs] of this.#dueMs[lane]) {
      if (dueMs <= nowMs) found.push(destinationId)
      this.#soonestMs = Math.min(this.#soonestMs, dueMs)
    }
    return found
  }

  /** Takes over a survey of the rows; it may be stale, which costs an empty claim. */
  learn(rows: readonly { lane: DeliveryLane; destinationId: string; dueMs: number }[]): void {
    for (const row of rows) this.add(row.lane, row.destinationId, row.dueMs)
  }
}
