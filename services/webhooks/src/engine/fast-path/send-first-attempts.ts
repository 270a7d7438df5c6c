import { setTimeout as sleep } from 'node:timers/promises'
import type { Destination } from '../../sending/destination.ts'
import { TICK_MS } from '../../sending/active-time.ts'
import { afterStall, isHealthy } from '../../sending/health.ts'
import type { EngineDependencies } from '../dependencies.ts'
import { outcomeOf } from '../record/outcome.ts'
import type { DeliveryEntry } from '../record/record-store.ts'
import { sealAtRest } from '../sealed-body.ts'
import { matches, type EventCopy } from './fan-out.ts'
import { FirstAttempt, waitingRow } from './first-attempt.ts'

/** Events in flight at once. The others wait in the stream: a burst queues there, not among the rows. */
const MAX_IN_FLIGHT = 256
/** An attempt without an answer after so much active time becomes a row, so that no receiver delays the stream. */
const ANSWER_WITHIN_MS = 400
/** A receiver that answers more slowly is sent to from the rows, so that it uses none of the events in flight. */
const QUICK_MS = ANSWER_WITHIN_MS / 2

type InFlightEvent = {
  readonly copy: EventCopy
  /** When another replica may have the event. */
  readonly startBeforeMs: number
  readonly attempts: FirstAttempt[]
  readonly rows: DeliveryEntry[]
  /** Active time when it began. */
  readonly startedMs: number
  unanswered: number
  recorded: Promise<void> | null
  readonly resolve: (recorded: Promise<void>) => void
}

/** Sends first attempts from memory, and records each event once all its destinations answered or time is up. */
export class FirstAttemptSender {
  readonly #dependencies: EngineDependencies
  readonly #inFlight = new Set<InFlightEvent>()
  readonly #waiting: (() => void)[] = []
  /** Attempts under way whose events are recorded and acknowledged. */
  #lateAttempts = 0

  constructor(dependencies: EngineDependencies) {
    this.#dependencies = dependencies
    dependencies.activeTime.onTick(() => this.#recordOverdue())
  }

  /** Resolves once the event, its deliveries and the attempts made by then are committed. */
  send(copy: EventCopy, startBeforeMs: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#inFlight.size < MAX_IN_FLIGHT) this.#start(copy, startBeforeMs, resolve)
      else this.#waiting.push(() => this.#start(copy, startBeforeMs, resolve))
    })
  }

  /** Resolves when no attempt is under way any more. */
  async stop(): Promise<void> {
    while (this.#lateAttempts > 0) await sleep(TICK_MS)
  }

  #start(copy: EventCopy, startBeforeMs: number, resolve: InFlightEvent['resolve']): void {
    const { registry, queues, clock, activeTime } = this.#dependencies
    const targets = registry.of(copy.channel, copy.ownerId).filter((target) => matches(target, copy))
    const start = { copy, startBeforeMs, startedMs: activeTime.ms, resolve }
    const event: InFlightEvent = { ...start, attempts: [], rows: [], unanswered: 0, recorded: null }
    const body = Buffer.from(targets.length === 0 ? '' : copy.body)
    for (const target of targets)
      if (this.#maySendNow(target)) event.attempts.push(this.#attempt(event, target, body))
      else event.rows.push(waitingRow(target, copy, clock.nowMs()))
    event.unanswered = event.attempts.length
    if (event.unanswered === 0) {
      this.#record(event)
      return
    }
    this.#inFlight.add(event)
    for (const attempt of event.attempts) queues.use(attempt.destination.id).offer(attempt)
  }

  /** Only to destinations that are healthy, quick, and have no older deliveries waiting. */
  #maySendNow({ id }: Destination): boolean {
    const { queues, dueIndex, clock } = this.#dependencies
    const { health } = queues.of(id)
    const nowMs = clock.nowMs()
    return isHealthy(health, nowMs) && health.latencyMs < QUICK_MS && !dueIndex.hasBacklog(id, nowMs)
  }

  #attempt(event: InFlightEvent, target: Destination, body: Buffer): FirstAttempt {
    return new FirstAttempt(target, event, body, (attempt) => {
      if (event.recorded) {
        this.#finishLate(event.recorded, attempt)
        return
      }
      event.unanswered -= 1
      if (event.unanswered === 0) this.#record(event)
    })
  }

  #record(event: InFlightEvent): void {
    this.#inFlight.delete(event)
    const { writer, queues, clock, vault } = this.#dependencies
    const nowMs = clock.nowMs()
    const sent = event.attempts.map((attempt) => attempt.toRow(queues.of(attempt.destination.id), nowMs))
    for (const attempt of event.attempts) if (attempt.leaseId !== null) this.#lateAttempts += 1
    event.recorded = writer.record({
      event: sealAtRest(vault, event.copy),
      deliveries: [...event.rows, ...sent],
    })
    event.resolve(event.recorded)
    this.#waiting.shift()?.()
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
