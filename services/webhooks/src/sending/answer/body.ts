const KEPT_BYTES = 8_192
/** A longer body costs the receiver its kept-alive connection: reading on would only move bytes. */
const DRAINED_BYTES = 65_536
const EMPTY = Buffer.alloc(0)

/** The beginning of a body, copied: chunks are views of a buffer that is read into again. */
export class KeptBody {
  #chunks: Buffer[] = []
  #received = 0

  begin(): void {
    if (this.#received === 0) return
    this.#chunks = []
    this.#received = 0
  }

  get isTooLong(): boolean {
    return this.#received > DRAINED_BYTES
  }

  /** At most 8 KiB, undecoded content codings included. */
  get bytes(): Buffer {
    if (this.#chunks.length < 2) return this.#chunks[0] ?? EMPTY
    return Buffer.concat(this.#chunks)
  }

  add(chunk: Buffer, from: number, to: number): void {
    const missing = KEPT_BYTES - this.#received
    if (missing > 0) this.#chunks.push(Buffer.from(chunk.subarray(from, Math.min(to, from + missing))))
    this.#received += to - from
  }
}
