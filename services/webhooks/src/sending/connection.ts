import { Client } from 'undici'
import type { Target } from '../connect-guard/target.ts'
import type { Connect } from '../connect-guard/connect.ts'
import { DeadlineError, Exchange, type Answer } from './exchange.ts'
import { ResponseGuard } from './response-guard.ts'

/** What one attempt sends: the exact bytes, and headers as undici's flat list. */
export type Outgoing = Readonly<{ headers: string[]; body: Buffer; timeoutMs: number }>

/** Shorter than what receivers grant by default; one that closes earlier costs a resend on a fresh connection. */
const KEEP_ALIVE_MS = 10_000
/** Long-lived connections are renewed now and then, so that a changed DNS answer takes effect. */
const MAX_REQUESTS = 10_000

/**
 * One kept-alive connection to a destination, carrying one exchange at a time. A client of its own per connection,
 * because only so it is known whether an exchange went out on a fresh or on a used connection.
 */
export class Connection {
  #client: Client
  #connecting: AbortController | null = null
  #guard: ResponseGuard | null = null
  #served = 0
  readonly #target: Target
  readonly #connect: Connect

  constructor(target: Target, connect: Connect) {
    this.#target = target
    this.#connect = connect
    this.#client = this.#open()
  }

  /**
   * Makes one attempt and calls back once, within its timeout. A used connection that dies before any byte of the
   * answer is what a receiver closing an idle one looks like: the request goes once more, on a fresh connection,
   * in what remains of the time.
   */
  send(outgoing: Outgoing, done: (answer: Answer) => void): void {
    let current: Exchange | null = null
    let resent = false
    const timer = setTimeout(() => {
      const waitsForConnection = current?.isUnderWay === false
      current?.expire()
      if (waitsForConnection) this.#abandon()
    }, outgoing.timeoutMs)
    const settle = (answer: Answer, exchange: Exchange) => {
      const isStale = exchange.reused && !exchange.answered && !(answer.failure instanceof DeadlineError)
      if (answer.statusCode === null && isStale && !resent) {
        resent = true
        current = this.#dispatch(outgoing, settle)
        return
      }
      clearTimeout(timer)
      done(answer)
    }
    current = this.#dispatch(outgoing, settle)
  }

  close(): void {
    this.#connecting?.abort(new Error('The connection is closed'))
    this.#client.destroy().catch(() => undefined)
  }

  #dispatch(outgoing: Outgoing, settle: (answer: Answer, exchange: Exchange) => void): Exchange {
    const begin = (started: Exchange) => {
      this.#guard?.expect(started)
      return this.#served++ > 0
    }
    const exchange = new Exchange(begin, settle)
    this.#client.dispatch(
      { method: 'POST', path: this.#target.path, headers: outgoing.headers, body: outgoing.body },
      exchange,
    )
    return exchange
  }

  #open(): Client {
    return new Client(this.#target.origin, {
      connect: (_options, callback) => this.#establish(callback),
      pipelining: 1,
      allowH2: false,
      // One deadline of our own bounds the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxRequestsPerClient: MAX_REQUESTS,
    })
  }

  #establish(callback: (...result: [Error, null] | [null, Awaited<ReturnType<Connect>>]) => void): void {
    const connecting = new AbortController()
    this.#connecting = connecting
    this.#connect(this.#target, connecting.signal).then(
      (socket) => {
        this.#served = 0
        this.#connecting = null
        this.#guard = new ResponseGuard(socket)
        callback(null, socket)
      },
      (error: unknown) => callback(error as Error, null),
    )
  }

  /** Drops a connect that outlived its attempt, so that the next attempt starts a new one. */
  #abandon(): void {
    this.close()
    this.#client = this.#open()
  }
}
