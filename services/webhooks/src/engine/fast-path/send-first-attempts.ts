import { setTimeout as sleep } from 'node:timers/promises'
import type { Destination } from '../../sending/destination.ts'
import { TICK_MS } from '../../sending/active-time.ts'
import { afterStall, isHealthy } from '../../sending/health.ts'
import type { EngineDependencies } from '../dependencies.ts'
import { outcomeOf } from '../record/outcome.ts'
import { sealAtRest } from '../sealed-body.ts'
import { matches, type EventCopy } from './fan-out.ts'
import { BatchInFlight } from './batch-in-flight.ts'
import { FirstAttempt, newInFlightEvent, waitingRow, type InFlightEvent } from './first-attempt.ts'

/** Maximum events in flight. More wait in the stream: a burst queues there, not as rows. */
const MAX_IN_FLIGHT = 256
/** An attempt without an answer after so much active time becomes a row, so that no receiver delays the stream. */
const ANSWER_WITHIN_MS = 400
/** A slower receiver is served from the rows, so that it does not occupy events in flight. */
const QUICK_MS = ANSWER_WITHIN_MS / 2

/** Sends first attempts from memory, and records each event once all its destinations answered or time is up. */
export class FirstAttemptSender {
  readonly #dependencies: EngineDependencies
  readonly #inFlight = new Set<InFlightEvent>()
  readonly #waiting: InFlightEvent[] = []
  /** Attempts under way whose events are recorded and acknowledged. */
  #lateAttempts = 0

  constructor(dependencies: EngineDependencies) {
    this.#dependencies = dependencies
    dependencies.activeTime.onTick(() => this.#recordOverdue())
  }

  /**
   * Resolves once all these events, their deliveries and the attempts made by then are committed. It rejects when one
   * could not be recorded, after the others are settled.
   */
  sendAll(copies: readonly EventCopy[], startBeforeMs: number): Promise<void> {
    const batch = new BatchInFlight(copies.length)
    for (const copy of copies) {
      const event = newInFlightEvent(copy, startBeforeMs, batch)
      if (this.#inFlight.size < MAX_IN_FLIGHT) this.#start(event)
      else this.#waiting.push(event)
    }
    return batch.settled
  }

  /** Resolves when no attempt is under way any more. */
  async stop(): Promise<void> {
    while (this.#lateAttempts > 0) await sleep(TICK_MS)
  }

  #start(event: InFlightEvent): void {
    const { registry, queues, activeTime } = this.#dependencies
    const { copy } = event
    const targets = registry.of(copy.channel, copy.ownerId).filter((target) => matches(target, copy))
    event.startedMs = activeTime.ms
    if (targets.length > 0) this.#divide(event, targets)
    event.unanswered = event.attempts.length
    if (event.unanswered === 0) {
      this.#record(event)
      return
    }
    this.#inFlight.add(event)
    for (const attempt of event.attempts) queues.use(attempt.destination.id).offer(attempt)
  }

  /** Into attempts that are made now, and rows. */
  #divide(event: InFlightEvent, targets: readonly Destination[]): void {
    const body = Buffer.from(event.copy.body)
    const nowMs = this.#dependencies.clock.nowMs()
    const now = targets.filter((target) => this.#maySendNow(target, nowMs))
    event.attempts = now.map((target) => new FirstAttempt(target, event, body, this.#answered))
    if (now.length === targets.length) return
    event.rows = targets
      .filter((target) => !now.includes(target))
      .map((target) => waitingRow(target, event.copy, nowMs))
  }

  /** Only to destinations that are healthy, quick, and have no older deliveries waiting. */
  #maySendNow({ id }: Destination, nowMs: number): boolean {
    const { queues, dueIndex } = this.#dependencies
    const { health } = queues.of(id)
    return isHealthy(health, nowMs) && health.latencyMs < QUICK_MS && !dueIndex.hasBacklog(id, nowMs)
  }

  readonly #answered = (attempt: FirstAttempt): void => {
    const { event } = attempt
    if (event.recorded) {
      this.#finishLate(event.recorded, attempt)
      return
    }
    event.unanswered -= 1
    if (event.unanswered === 0) this.#record(event)
  }

  #record(event: InFlightEvent): void {
    this.#inFlight.delete(event)
    const { writer, queues, clock, vault } = this.#dependencies
    const nowMs = clock.nowMs()
    for (const attempt of event.attempts)
      if (attempt.isWaiting) queues.of(attempt.destination.id).withdraw(attempt)
    const sent = event.attempts.map((attempt) => attempt.toRow(nowMs))
    const late = event.attempts.filter(({ leaseId }) => leaseId !== null).length
    const deliveries = event.rows.length === 0 ? sent : [...event.rows, ...sent]
    const record = { event: sealAtRest(vault, event.copy), deliveries }
    if (late === 0) writer.enqueue(record, event.batch)
    else {
      this.#lateAttempts += late
      event.recorded = writer.record(record)
      event.recorded.then(
        () => event.batch.resolve(),
        (error: unknown) => event.batch.reject(error),
      )
    }
    const next = this.#waiting.shift()
    if (next) this.#start(next)
  }

  /** An attempt that answered after its event was recorded: its row is there by now, leased. */
  #finishLate(recorded: Promise<void>, { leaseId, attempt, destination, id }: FirstAttempt): void {
    if (leaseId === null) return
    this.#lateAttempts -= 1
    const lease = { destinationId: destination.id, id, leaseId }
    const { writer, log } = this.#dependencies
    recorded
      .then(() =>
        attempt === null
          ? writer.release(lease)
          : writer.finish({ ...lease, ...outcomeOf(destination, 0, attempt), attempt }),
      )
      .catch((error: unknown) =>
        log.warn(
          { event: 'webhooks.outcome_not_recorded', error, deliveryId: id },
          'The outcome of an attempt could not be recorded; the delivery is sent again when its lease ends',
        ),
      )
  }

  #recordOverdue(): void {
    const { activeTime, queues } = this.#dependencies
    for (const event of this.#inFlight) {
      if (activeTime.ms - event.startedMs <= ANSWER_WITHIN_MS) return
      for (const { isOver, destination } of event.attempts) {
        const queue = queues.of(destination.id)
        if (!isOver) queue.health = afterStall(queue.health, ANSWER_WITHIN_MS)
      }
      this.#record(event)
    }
  }
}
