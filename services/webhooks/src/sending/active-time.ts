/** Resolution of active time. */
export const TICK_MS = 25

/**
 * Time during which this process was running. A stall, however long, is one tick: it must not count as the time that
 * a receiver needed.
 */
export class ActiveTime {
  #ticks = 0
  readonly #listeners: (() => void)[] = []
  readonly #timer: NodeJS.Timeout

  constructor() {
    this.#timer = setInterval(() => {
      this.#ticks += 1
      for (const listener of this.#listeners) listener()
    }, TICK_MS)
  }

  get ms(): number {
    return this.#ticks * TICK_MS
  }

  onTick(listener: () => void): void {
    this.#listeners.push(listener)
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/** The latency of a receiver: not more than this process was active meanwhile. */
export const withoutStalls = (latencyMs: number, activeMs: number): number =>
  Math.min(latencyMs, activeMs + TICK_MS)
