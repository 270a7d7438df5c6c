import { Lane, type LaneParts } from './destination-queue.ts'

/** Lanes that keep connections; the one used longest ago gives its own up when there are more. */
const MAX_WARM = 1_000

/** The lanes of all destinations that this process has sent to. Few bytes each; only connections are bounded. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  readonly #warm = new Set<string>()
  #stopping = false
  readonly #parts: LaneParts

  constructor(parts: LaneParts) {
    this.#parts = parts
  }

  of(destinationId: string): Lane {
    const known = this.#lanes.get(destinationId)
    if (known) return known
    const lane = new Lane(destinationId, this.#parts)
    if (this.#stopping) lane.close()
    this.#lanes.set(destinationId, lane)
    return lane
  }

  /** The lane, marked as the one used last. */
  use(destinationId: string): Lane {
    this.#warm.delete(destinationId)
    this.#warm.add(destinationId)
    if (this.#warm.size > MAX_WARM) this.#coolOldest()
    return this.of(destinationId)
  }

  /** Forgets destinations that are gone. */
  forget(destinationId: string): void {
    const lane = this.#lanes.get(destinationId)
    if (!lane) return
    lane.close()
    lane.cool()
    this.#lanes.delete(destinationId)
    this.#warm.delete(destinationId)
  }

  /** Starts nothing new; attempts under way go on. */
  stopStarting(): void {
    this.#stopping = true
    for (const lane of this.#lanes.values()) lane.close()
  }

  disconnect(): void {
    for (const lane of this.#lanes.values()) lane.cool()
  }

  #coolOldest(): void {
    for (const id of this.#warm) {
      const lane = this.#lanes.get(id)
      if (lane && !lane.isIdle) continue
      lane?.cool()
      this.#warm.delete(id)
      return
    }
  }
}
