import { DestinationQueue, type QueueDependencies } from './destination-queue.ts'

/** Queues that keep connections; of more, the least recently used closes its own. */
const MAX_CONNECTED = 1_000

/** The queues of all destinations that this process has sent to. Few bytes each; only connections are bounded. */
export class DestinationQueues {
  readonly #queues = new Map<string, DestinationQueue>()
  readonly #connected = new Set<string>()
  #stopping = false
  readonly #dependencies: QueueDependencies

  constructor(dependencies: QueueDependencies) {
    this.#dependencies = dependencies
  }

  of(destinationId: string): DestinationQueue {
    const known = this.#queues.get(destinationId)
    if (known) return known
    const queue = new DestinationQueue(destinationId, this.#dependencies)
    if (this.#stopping) queue.close()
    this.#queues.set(destinationId, queue)
    return queue
  }

  /** The queue, marked as the most recently used. */
  use(destinationId: string): DestinationQueue {
    this.#connected.delete(destinationId)
    this.#connected.add(destinationId)
    if (this.#connected.size > MAX_CONNECTED) this.#disconnectOldest()
    return this.of(destinationId)
  }

  /** Closes the queue of a deleted destination. */
  delete(destinationId: string): void {
    const queue = this.#queues.get(destinationId)
    if (!queue) return
    queue.close()
    queue.disconnect()
    this.#queues.delete(destinationId)
    this.#connected.delete(destinationId)
  }

  /** Starts nothing new; attempts under way go on. */
  startNothingMore(): void {
    this.#stopping = true
    for (const queue of this.#queues.values()) queue.close()
  }

  disconnect(): void {
    for (const queue of this.#queues.values()) queue.disconnect()
  }

  #disconnectOldest(): void {
    for (const id of this.#connected) {
      const queue = this.#queues.get(id)
      if (queue && !queue.isIdle) continue
      queue?.disconnect()
      this.#connected.delete(id)
      return
    }
  }
}
