/** Remembers at least the last `size` ids, and at most twice as many. */
export class RecentIds {
  #current = new Set<string>()
  #previous = new Set<string>()
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  /** @returns whether the id was not remembered */
  add(id: string): boolean {
    if (this.#current.has(id) || this.#previous.has(id)) return false
    this.#current.add(id)
    if (this.#current.size >= this.#size) {
      this.#previous = this.#current
      this.#current = new Set()
    }
    return true
  }
}
