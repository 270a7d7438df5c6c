import type { Waiter } from '../record/batch-writer.ts'

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
