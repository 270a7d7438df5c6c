import type { Dispatcher } from 'undici'
import type { Answer } from './answer.ts'

const KEPT_BYTES = 8_192
/** A longer body costs the receiver its kept-alive connection: reading on would only move bytes. */
const DRAINED_BYTES = 65_536

type Listener = Readonly<{
  /** The request is written to the socket. */
  started: () => void
  /** The answer is complete. */
  completed: () => void
  /** The body is longer than is read: the answer is complete without its rest. */
  truncated: () => void
  failed: (error: Error) => void
}>

const firstOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.[0]

/** The answer to one request, as undici reads it. Once the status is known, nothing that follows changes it. */
export class Exchange implements Dispatcher.DispatchHandler {
  #statusCode: number | null = null
  #retryAfter: string | undefined
  #chunks: Buffer[] = []
  #received = 0
  readonly #listener: Listener

  constructor(listener: Listener) {
    this.#listener = listener
  }

  /** The answer as far as it has arrived. @param failure why it ended, where it has no status */
  answer(failure: unknown): Answer {
    const statusCode = this.#statusCode
    return {
      statusCode,
      failure: statusCode === null ? failure : null,
      retryAfter: this.#retryAfter,
      body: Buffer.concat(this.#chunks),
    }
  }

  onRequestStart(): void {
    this.#listener.started()
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // An interim answer.
    if (statusCode < 200) return
    this.#statusCode = statusCode
    this.#retryAfter = firstOf(headers['retry-after'])
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const missing = KEPT_BYTES - this.#received
    // Copied: the chunk is a view of the parser's buffer.
    if (missing > 0) this.#chunks.push(Buffer.from(chunk.subarray(0, missing)))
    this.#received += chunk.length
    if (this.#received > DRAINED_BYTES) this.#listener.truncated()
  }

  onResponseEnd(): void {
    this.#listener.completed()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#listener.failed(error)
  }
}
