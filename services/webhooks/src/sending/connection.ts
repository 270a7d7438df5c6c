import type { Socket } from 'node:net'
import { Client } from 'undici'
import type { Connect } from '../connect-guard/connect.ts'
import type { Target } from '../connect-guard/target.ts'
import { ClosedError, DeadlineError, FloodError, type Answer } from './answer.ts'
import { Exchange } from './exchange.ts'
import { dropContinues } from './interim-answers.ts'
import type { Outgoing } from './request.ts'

const CLIENT_OPTIONS = {
  pipelining: 1,
  allowH2: false,
  // An exchange has one deadline, which covers them.
  headersTimeout: 0,
  bodyTimeout: 0,
  /** Shorter than what receivers grant by default; one that closes earlier costs a resend on a fresh connection. */
  keepAliveTimeout: 10_000,
  /** Part of the receiver's keep-alive time that a request needs to arrive; below, the maximum time that is used. */
  keepAliveTimeoutThreshold: 2_000,
  keepAliveMaxTimeout: 600_000,
  maxHeaderSize: 16_384,
  /** Long-lived connections are renewed now and then, so that a changed DNS answer takes effect. */
  maxRequestsPerClient: 10_000,
}

/** Room for 64 KiB of body in small chunks; a longer answer, interim ones included, only keeps the reader busy. */
const MAX_ANSWER_BYTES = 262_144

/** One attempt on the connection: what it sends, and whom it calls back. */
type Attempt = Readonly<{ outgoing: Outgoing; done: (answer: Answer) => void; deadline: NodeJS.Timeout }>

/** One kept-alive connection to a destination, carrying one exchange at a time. It is dialled when it is needed. */
export class Connection {
  #client: Client | null = null
  #connecting: AbortController | null = null
  #socket: Socket | null = null
  #expectAnswer: () => void = () => undefined
  /** Requests that this socket has carried, and its bytes when the present one began. */
  #carried = 0
  #bytesBefore = 0
  #attempt: Attempt | null = null
  #exchange: Exchange | null = null
  #isResent = false
  readonly #target: Target
  readonly #connect: Connect

  constructor(target: Target, connect: Connect) {
    this.#target = target
    this.#connect = connect
  }

  /**
   * Makes one attempt and calls back once, within its timeout. A used connection that dies before any byte of the answer
   * is what a receiver closing an idle one looks like: the request is sent once more, on a fresh connection, in the time
   * that remains.
   */
  send(outgoing: Outgoing, done: (answer: Answer) => void): void {
    const deadline = setTimeout(() => this.#expire(attempt), outgoing.timeoutMs)
    const attempt: Attempt = { outgoing, done, deadline }
    this.#attempt = attempt
    this.#isResent = false
    this.#dispatch(outgoing)
  }

  close(): void {
    this.#settle(new ClosedError('The connection is closed'), true)
  }

  /** Ends an attempt after what has arrived by its deadline was read: on a busy event loop, timers run before sockets. */
  #expire(attempt: Attempt): void {
    setImmediate(() => {
      if (attempt === this.#attempt) this.#settle(new DeadlineError('No answer within the timeout'), true)
    })
  }

  #dispatch({ template, body, ...outgoing }: Outgoing): void {
    const exchange: Exchange = new Exchange({
      started: () => this.#begin(),
      completed: () => {
        // An answer may arrive before the whole request was sent.
        if (exchange === this.#exchange) this.#settle(null, (this.#socket?.writableLength ?? 0) > 0)
      },
      truncated: () => {
        if (exchange === this.#exchange) this.#settle(null, true)
      },
      failed: (error) => {
        if (exchange === this.#exchange) this.#fail(error)
      },
    })
    this.#exchange = exchange
    this.#client ??= this.#createClient()
    const headers = template.headers({ body, ...outgoing })
    this.#client.dispatch({ method: 'POST', path: this.#target.path, headers, body }, exchange)
  }

  #createClient(): Client {
    return new Client(this.#target.origin, {
      ...CLIENT_OPTIONS,
      connect: (_options, callback) => {
        const connecting = new AbortController()
        this.#connecting = connecting
        this.#connect(this.#target, connecting.signal).then(
          (socket) => {
            if (this.#connecting === connecting) this.#watch(socket)
            callback(null, socket)
          },
          (error: unknown) => callback(error as Error, null),
        )
      },
    })
  }

  #watch(socket: Socket): void {
    this.#connecting = null
    this.#socket = socket
    this.#carried = 0
    this.#expectAnswer = dropContinues(socket)
    socket.on('readable', () => {
      if (socket === this.#socket && socket.bytesRead - this.#bytesBefore > MAX_ANSWER_BYTES)
        this.#settle(new FloodError('The receiver sends without end'), true)
    })
  }

  #begin(): void {
    this.#carried += 1
    this.#expectAnswer()
    this.#bytesBefore = this.#socket?.bytesRead ?? 0
  }

  #fail(error: Error): void {
    const attempt = this.#attempt
    const isUnanswered = (this.#socket?.bytesRead ?? 0) === this.#bytesBefore
    if (attempt === null || this.#isResent || this.#carried < 2 || !isUnanswered) this.#settle(error, true)
    else {
      this.#isResent = true
      this.#drop()
      this.#dispatch(attempt.outgoing)
    }
  }

  /** Ends the connection; the next attempt begins with a new one. */
  #drop(): void {
    const client = this.#client
    this.#connecting?.abort(new ClosedError('The connection is closed'))
    this.#connecting = null
    this.#client = null
    this.#socket = null
    this.#carried = 0
    this.#exchange = null
    client?.destroy().catch(() => undefined)
  }

  /** Calls back. @param failure why there is no answer; it counts only where no status arrived */
  #settle(failure: unknown, ends: boolean): void {
    const attempt = this.#attempt
    const answer = this.#exchange?.answer(failure)
    this.#attempt = null
    this.#exchange = null
    if (ends) this.#drop()
    if (attempt === null || answer === undefined) return
    clearTimeout(attempt.deadline)
    attempt.done(answer)
  }
}
