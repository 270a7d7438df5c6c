import type { Dispatcher } from 'undici'
import type { Listener } from './response-guard.ts'

/** What came back from one attempt. */
export type Answer = Readonly<{
  /** Null when no status line arrived. */
  statusCode: number | null
  /** Why there is no status line; null when there is one. */
  failure: unknown
  retryAfter: string | undefined
  /** At most 8 KiB of the body, undecoded content codings included. */
  body: Buffer
}>

/** The deadline of the whole exchange passed. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  readonly code = 'ETIMEDOUT'
}

/** The receiver sends without end and answers nothing. */
export class FloodError extends Error {
  override readonly name = 'FloodError'
  readonly code = 'EMSGSIZE'
}

const KEPT_BYTES = 8_192
/** A longer body costs the receiver its kept-alive connection: reading on would only move bytes. */
const DRAINED_BYTES = 65_536
const EMPTY = Buffer.alloc(0)

type Headers = Record<string, string | string[] | undefined>
const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)

/**
 * Reads one answer. The status line decides (decisions §12): once it has arrived, nothing that happens to the
 * body changes the outcome, whether it is endless, cut off, too long or malformed.
 */
export class Exchange implements Dispatcher.DispatchHandler, Listener {
  /** Whether any byte of an answer arrived, an interim 1xx included. */
  answered = false
  /** Whether the request went out on a connection that had served one before. */
  reused = false

  #controller: Dispatcher.DispatchController | null = null
  #statusCode: number | null = null
  #retryAfter: string | undefined
  #chunks: Buffer[] = []
  #received = 0
  #settled = false
  readonly #started: (self: Exchange) => boolean
  readonly #settle: (answer: Answer, exchange: Exchange) => void

  /** @param started called when the request goes out; returns whether its connection was used before */
  constructor(started: (self: Exchange) => boolean, settle: (answer: Answer, exchange: Exchange) => void) {
    this.#started = started
    this.#settle = settle
  }

  /** Ends the exchange at its deadline: with the status line, where one has arrived. */
  expire(): void {
    this.#end(new DeadlineError('No answer within the timeout'))
  }

  switched(): void {
    this.#statusCode = 101
    this.#end(new Error('Protocols were switched'))
  }

  flooded(): void {
    this.#end(new FloodError('The receiver sends without end'))
  }

  /** Whether the request has gone out on a connection. */
  get isUnderWay(): boolean {
    return this.#controller !== null
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    this.reused = this.#started(this)
  }

  onResponseStarted(): void {
    this.answered = true
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number, headers: Headers): void {
    if (statusCode < 200) return
    this.#statusCode = statusCode
    this.#retryAfter = first(headers['retry-after'])
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const missing = KEPT_BYTES - this.#received
    // A copy: the parser's chunk is a view of a buffer many times its size.
    if (missing > 0) this.#chunks.push(Buffer.from(chunk.subarray(0, missing)))
    this.#received += chunk.length
    if (this.#received <= DRAINED_BYTES) return
    this.#end(new Error('The body is longer than is read'))
  }

  onResponseEnd(): void {
    if (this.#settled) return
    this.#settled = true
    this.#report(null)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#breakOff(error)
  }

  /** Ends the exchange before its end: with the status line, where one has arrived. */
  #end(error: Error): void {
    this.#breakOff(error)
    this.#controller?.abort(error)
  }

  #breakOff(error: Error): void {
    if (this.#settled) return
    this.#settled = true
    // The client is taking its connection apart: nothing may be dispatched on it before it is through.
    queueMicrotask(() => this.#report(error))
  }

  #report(error: Error | null): void {
    const statusCode = this.#statusCode
    const body = this.#chunks.length === 0 ? EMPTY : Buffer.concat(this.#chunks)
    this.#settle(
      { statusCode, failure: statusCode === null ? error : null, retryAfter: this.#retryAfter, body },
      this,
    )
  }
}
