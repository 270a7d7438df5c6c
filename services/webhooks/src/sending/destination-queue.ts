import { type Clock, span, type OpenSpan } from '@causeway/chassis'
import { readableBody, type Attempt } from './attempt.ts'
import { templateAt, type Destination } from './destination.ts'
import { describeFailure } from '../connect-guard/failure.ts'
import { afterAnswer, afterTransportFailure, FRESH, isProbing, type Health } from './health.ts'
import { parseRetryAfterMs } from './retry-schedule.ts'
import type { Target } from '../connect-guard/target.ts'
import { Connection } from './connection.ts'
import type { Connect } from '../connect-guard/connect.ts'
import type { Answer } from './answer.ts'
import { withoutStalls, type ActiveTime } from './active-time.ts'
import { observeAttempt } from './metrics.ts'

/**
 * Begins the span of one POST, in the trace that caused its event (OpenTelemetry, semantic conventions of HTTP client
 * spans); a retry, hours later perhaps, is in the same trace and says which it is. The path and query are left out:
 * receivers keep secrets there. Null where nothing is traced.
 */
const startPostSpan = (
  { id, channel, target }: Destination,
  { traceparent, retriesUsed = 0 }: Readonly<{ traceparent?: string | null; retriesUsed?: number }>,
): OpenSpan | null =>
  traceparent
    ? span.start('POST', 'client', traceparent, {
        'http.request.method': 'POST',
        'server.address': target.hostname,
        'server.port': target.port,
        'causeway.destination.id': id,
        'causeway.channel': channel,
        ...(retriesUsed > 0 ? { 'http.request.resend_count': retriesUsed } : {}),
      })
    : null

/** No answer and an answer of 4xx or 5xx are errors. */
const endPostSpan = (posting: OpenSpan, answer: Answer): void => {
  const { statusCode } = answer
  if (statusCode === null) posting.end({ 'error.type': describeFailure(answer.failure) }, true)
  else posting.end({ 'http.response.status_code': statusCode }, statusCode >= 400)
}

/** At most so many connections a destination. */
export const CONNECTIONS = 8

/** One delivery that waits in memory for its attempt. */
export type Job = {
  readonly eventId: string
  readonly body: Buffer
  /** The trace that its attempt joins; left out or null: it is in none. */
  readonly traceparent?: string | null
  /** Attempts made before, of those that count as retries; left out: none. */
  readonly retriesUsed?: number
  /** After this it must not go out any more: its lease is about to end. */
  readonly startBeforeMs: number
  /** Called when the attempt begins, with the destination's settings at that moment. */
  started: (destination: Destination) => void
  /** Called once: with the attempt, or null when none was made (lease ending, destination gone, queue closed). */
  done: (attempt: Attempt | null) => void
  /** Set by {@link DestinationQueue.withdraw}. */
  withdrawn: boolean
}

export type QueueDependencies = Readonly<{
  connect: Connect
  clock: Clock
  /** The destination's present settings: a new URL or secret counts from the next attempt on. */
  destinationOf: (id: string) => Destination | undefined
  activeTime: Pick<ActiveTime, 'ms'>
}>

/** Everything that goes to one destination from this process: its queue, its connections, its health. */
export class DestinationQueue {
  health: Health = FRESH
  #queue: Job[] = []
  #head = 0
  #waiting = 0
  #inFlight = 0
  #idle: Connection[] = []
  readonly #open = new Set<Connection>()
  #target: Target | null = null
  #closed = false
  readonly #id: string
  readonly #dependencies: QueueDependencies

  constructor(id: string, dependencies: QueueDependencies) {
    this.#id = id
    this.#dependencies = dependencies
  }

  get isIdle(): boolean {
    return this.#inFlight === 0
  }

  offer(job: Job): void {
    this.#queue.push(job)
    this.#waiting += 1
    this.pump()
  }

  /** Removes a job that has not begun. */
  withdraw(job: Job): void {
    job.withdrawn = true
    this.#waiting -= 1
  }

  pump(): void {
    const { clock, destinationOf } = this.#dependencies
    while (this.#waiting > 0 && this.#inFlight < this.#limit(clock.nowMs())) {
      const job = this.#next()
      if (job.withdrawn) continue
      this.#waiting -= 1
      const destination = this.#closed ? undefined : destinationOf(this.#id)
      if (!destination || clock.nowMs() > job.startBeforeMs) job.done(null)
      else this.#attempt(destination, job)
    }
  }

  /** Closes the connections, those under way once they are done; new ones are opened when they are needed. */
  disconnect(): void {
    for (const connection of this.#idle) connection.close()
    this.#open.clear()
    this.#idle = []
  }

  /** Gives back what has not begun, so that nothing new is sent. */
  close(): void {
    this.#closed = true
    while (this.#waiting > 0) {
      const job = this.#next()
      if (job.withdrawn) continue
      this.#waiting -= 1
      job.done(null)
    }
  }

  #limit(nowMs: number): number {
    return isProbing(this.health, nowMs) ? 1 : CONNECTIONS
  }

  #next(): Job {
    const job = this.#queue[this.#head] as Job
    this.#head += 1
    if (this.#head === this.#queue.length || this.#head > 1_024) {
      this.#queue = this.#queue.slice(this.#head)
      this.#head = 0
    }
    return job
  }

  #attempt(destination: Destination, job: Job): void {
    const { clock, activeTime } = this.#dependencies
    const connection = this.#connectionTo(destination.target)
    const atMs = clock.nowMs()
    const outsideMs = clock.outsideMs()
    const begunMs = performance.now()
    const activeMs = activeTime.ms
    this.#inFlight += 1
    job.started(destination)
    const { signing, policy } = destination
    const template = templateAt(signing, atMs)
    const posting = startPostSpan(destination, job)
    const outgoing = {
      template,
      eventId: job.eventId,
      body: job.body,
      atMs: outsideMs,
      timeoutMs: policy.timeoutMs,
    }
    connection.send(outgoing, (answer) => {
      const latencyMs = Math.round(performance.now() - begunMs)
      this.#inFlight -= 1
      if (this.#open.has(connection)) this.#idle.push(connection)
      else connection.close()
      this.#updateHealth(answer, withoutStalls(latencyMs, activeTime.ms - activeMs))
      observeAttempt(destination.channel, answer.statusCode, latencyMs)
      if (posting !== null) endPostSpan(posting, answer)
      job.done(attemptOf(answer, { atMs, outsideMs, latencyMs }))
      this.pump()
    })
  }

  #updateHealth(answer: Answer, latencyMs: number): void {
    this.health =
      answer.statusCode === null
        ? afterTransportFailure(this.health, latencyMs, this.#dependencies.clock.nowMs())
        : afterAnswer(this.health, latencyMs)
  }

  #connectionTo(target: Target): Connection {
    if (this.#target !== target) {
      this.disconnect()
      this.#target = target
    }
    const idle = this.#idle.pop()
    if (idle) return idle
    const connection = new Connection(target, this.#dependencies.connect)
    this.#open.add(connection)
    return connection
  }
}

/** @param times when it began, in the platform's time and in real time, and how long it took */
export const attemptOf = (
  answer: Answer,
  { atMs, outsideMs, latencyMs }: Readonly<{ atMs: number; outsideMs: number; latencyMs: number }>,
): Attempt => ({
  atMs,
  statusCode: answer.statusCode,
  latencyMs,
  error: answer.statusCode === null ? describeFailure(answer.failure) : null,
  responseBody: readableBody(answer.body),
  retryAfterMs: parseRetryAfterMs(answer.retryAfter, outsideMs + latencyMs),
})
