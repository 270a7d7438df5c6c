/** How finely running time is told. */
export const BEAT_MS = 25

/**
 * Time during which this process was running. A stall, however long, is one beat: it must not be taken for the time
 * that a receiver needed.
 */
export class RunningTime {
  #beats = 0
  readonly #listeners: (() => void)[] = []
  readonly #timer: NodeJS.Timeout

  constructor() {
    this.#timer = setInterval(() => {
      this.#beats += 1
      for (const listener of this.#listeners) listener()
    }, BEAT_MS)
  }

  get ms(): number {
    return this.#beats * BEAT_MS
  }

  onBeat(listener: () => void): void {
    this.#listeners.push(listener)
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/** What a receiver is held to have taken: not more than this process was running meanwhile. */
export const withoutStalls = (latencyMs: number, ranMs: number): number =>
  Math.min(latencyMs, ranMs + BEAT_MS)
