import type { Socket } from 'node:net'
import type { Connect } from '../connect-guard/connect.ts'
import type { Target } from '../connect-guard/target.ts'
import type { Answer } from './answer/answer.ts'
import { ClosedError, DeadlineError } from './answer/failures.ts'
import { AnswerParser } from './answer/parser.ts'
import { offBeat, onBeat, type Timed } from './beat.ts'
import { afterReading } from './next-turn.ts'
import type { Outgoing } from './request.ts'

/** Shorter than what receivers grant by default; one that closes earlier costs a resend on a fresh connection. */
const IDLE_MS = 10_000
/** Of the time that a receiver grants, what a request needs to get there; and the most that is made of it. */
const IDLE_MARGIN_MS = 2_000
const MAX_IDLE_MS = 600_000
/** Long-lived connections are renewed now and then, so that a changed DNS answer takes effect. */
const MAX_REQUESTS = 10_000

const NO_ANSWER = { statusCode: null, retryAfter: undefined, body: Buffer.alloc(0) }

/**
 * One kept-alive connection to a destination, carrying one exchange at a time (RFC 9112). It is dialled when it is
 * needed, and again when it has ended.
 */
export class Connection implements Timed {
  #socket: Socket | null = null
  #connecting: AbortController | null = null
  #outgoing: Outgoing | null = null
  #done: ((answer: Answer) => void) | null = null
  /** By `performance.now()`: the exchange's deadline, or the end of an idle connection. */
  #endsMs = Infinity
  /** Requests that this socket has carried. */
  #carried = 0
  #isResent = false
  #isSent = false
  readonly #parser = new AnswerParser()
  readonly #target: Target
  readonly #connect: Connect

  constructor(target: Target, connect: Connect) {
    this.#target = target
    this.#connect = connect
  }

  /**
   * Makes one attempt and calls back once, within its timeout and a beat. A used connection that dies before any byte
   * of the answer is what a receiver closing an idle one looks like: the request goes once more, on a fresh connection,
   * in what remains of the time.
   */
  send(outgoing: Outgoing, done: (answer: Answer) => void): void {
    this.#outgoing = outgoing
    this.#done = done
    this.#isResent = false
    this.#isSent = false
    this.#endsMs = performance.now() + outgoing.timeoutMs
    onBeat(this)
    if (this.#socket) afterReading(this.#sendOnKept)
    else this.#dial()
  }

  close(): void {
    this.#drop()
    this.#settle(new ClosedError('The connection is closed'))
  }

  onBeat(nowMs: number): void {
    if (nowMs < this.#endsMs) return
    if (this.#outgoing) this.#fail(new DeadlineError('No answer within the timeout'))
    else this.close()
  }

  readonly #sendOnKept = (): void => {
    if (!this.#outgoing || this.#isSent) return
    if (this.#socket) this.#write(this.#socket, this.#outgoing)
    else this.#dial()
  }

  #dial(): void {
    const connecting = new AbortController()
    this.#connecting = connecting
    this.#connect(this.#target, connecting.signal).then(
      (socket) => {
        if (this.#connecting === connecting) this.#open(socket)
        else socket.destroy()
      },
      (error: unknown) => {
        if (this.#connecting === connecting) this.#fail(error)
      },
    )
  }

  #open(socket: Socket): void {
    this.#connecting = null
    this.#socket = socket
    this.#carried = 0
    socket.on('data', (chunk: Buffer) => this.#read(socket, chunk))
    socket.on('error', (error) => this.#lose(socket, error))
    socket.on('end', () => this.#end(socket))
    socket.on('close', () => this.#end(socket))
    // One that has failed already says so no more.
    if (socket.destroyed) this.#fail(socket.errored ?? closed())
    else if (this.#outgoing) this.#write(socket, this.#outgoing)
  }

  #write(socket: Socket, outgoing: Outgoing): void {
    this.#isSent = true
    this.#carried += 1
    this.#parser.begin()
    socket.write(outgoing.template.build(outgoing, this.#carried === MAX_REQUESTS))
  }

  #read(socket: Socket, chunk: Buffer): void {
    if (socket !== this.#socket) return
    if (!this.#isSent) {
      // Nothing was asked. An empty line behind the last answer harms nobody; an answer must not meet a later request.
      if (!isEmptyLine(chunk)) this.#lose(socket, null)
    } else if (this.#parse(chunk)) this.#complete()
  }

  /** @returns whether the answer is complete */
  #parse(chunk: Buffer): boolean {
    try {
      return this.#parser.read(chunk)
    } catch (error) {
      this.#fail(error)
      return false
    }
  }

  /** The receiver has ended its side: what it has not said by now it does not say any more. */
  #end(socket: Socket): void {
    if (socket === this.#socket && this.#isSent && this.#parser.end()) this.#complete()
    else this.#lose(socket, closed())
  }

  /** A socket has ended. One that was given up meant nothing any more; a request that waits does not notice. */
  #lose(socket: Socket, error: unknown): void {
    if (socket !== this.#socket) return
    if (this.#isSent) this.#fail(error)
    else if (this.#outgoing) this.#drop()
    else this.close()
  }

  #complete(): void {
    const { keepsConnection, keepAliveMs } = this.#parser
    const idleMs = keepAliveMs === null ? IDLE_MS : Math.min(keepAliveMs - IDLE_MARGIN_MS, MAX_IDLE_MS)
    // An answer may come before the request has gone out whole.
    const isWhole = this.#socket?.writableLength === 0
    if (!keepsConnection || !isWhole || idleMs <= 0 || this.#carried === MAX_REQUESTS) this.#drop()
    this.#endsMs = performance.now() + idleMs
    this.#settle(null)
  }

  #fail(error: unknown): void {
    const isStale = this.#isSent && this.#carried > 1 && !this.#parser.hasBegun
    this.#drop()
    if (isStale && !this.#isResent && !(error instanceof DeadlineError)) {
      this.#isResent = true
      this.#isSent = false
      this.#dial()
    } else this.#settle(error)
  }

  /** Ends socket or connect; the next attempt begins with a new one. */
  #drop(): void {
    this.#connecting?.abort(new Error('The connection is closed'))
    this.#connecting = null
    const socket = this.#socket
    this.#socket = null
    socket?.destroy()
  }

  #settle(failure: unknown): void {
    const done = this.#done
    const { statusCode, retryAfter, body } = this.#isSent ? this.#parser : NO_ANSWER
    this.#done = null
    this.#outgoing = null
    this.#isSent = false
    if (!this.#socket) offBeat(this)
    done?.({ statusCode, failure: statusCode === null ? failure : null, retryAfter, body })
  }
}

const closed = () => new ClosedError('The connection was closed before an answer')

/** What a receiver may say without having been asked. */
const isEmptyLine = (chunk: Buffer): boolean => chunk.length <= 2 && /^\r?\n?$/.test(chunk.toString('latin1'))
