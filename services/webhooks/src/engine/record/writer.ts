import { uniqueViolation, type Clock, type Db } from '@causeway/chassis'
import type { Attempt } from '../../sending/attempt.ts'
import type { Destination } from '../../destinations/destination.ts'
import { nextStep } from '../../sending/retry-schedule.ts'
import { verdictOf } from '../../sending/attempt-outcome.ts'
import { finishLeased, finishValues, releaseLeased, type Finish, type Release } from './finish-store.ts'
import {
  recordMissing,
  recordNew,
  recordValues,
  type DeliveryEntry,
  type EventEntry,
} from './record-store.ts'
import type { Agenda } from '../slow-path/due-index.ts'
import { createCollector, type Collector } from './batch-writer.ts'
import { PATIENCE_MS } from './retry.ts'

/** An event with its deliveries, to be written down for the first time. */
export type Record = Readonly<{ event: EventEntry; deliveries: readonly DeliveryEntry[] }>

/** What an attempt makes of its delivery. */
export type Outcome = Readonly<{
  state: 'waiting' | 'delivered' | 'dead'
  retriesUsed: number
  dueMs: number
  nextAttemptMs: number | null
}>

const BATCH = 256
const WAIT_MS = 5
/** Records wait for company: nobody waits for them but the stream, and a statement costs as much as twenty rows. */
const RECORD_WAIT_MS = 20
/** Judges an attempt by the destination's schedule. */
export const outcomeOf = (destination: Destination, retriesUsed: number, attempt: Attempt): Outcome => {
  const endedMs = attempt.atMs + attempt.latencyMs
  const step = nextStep(
    verdictOf(attempt.statusCode),
    { retriesUsed, retryAfterMs: attempt.retryAfterMs, nowMs: endedMs },
    destination.policy,
  )
  if (step.state !== 'waiting') return { state: step.state, retriesUsed, dueMs: endedMs, nextAttemptMs: null }
  return { state: 'waiting', retriesUsed: retriesUsed + 1, dueMs: step.dueMs, nextAttemptMs: step.dueMs }
}

/** Nearly always all events are new: looking at each costs more than finding out by the fault, and then looking. */
const writeRecords = async (db: Db, records: readonly Record[], nowMs: number): Promise<void> => {
  const events = records.map((record) => record.event)
  const deliveries = records.flatMap((record) => record.deliveries)
  const values = recordValues(events, deliveries, nowMs)
  try {
    await db.query(recordNew, values)
  } catch (error) {
    if (uniqueViolation(error) === null) throw error
    await db.query(recordMissing, values)
  }
}

/** Everything that the engine writes, in batches of at most 256 or 5 ms; what becomes due goes into the agenda. */
export class Writer {
  readonly #records: Collector<Record>
  readonly #finishes: Collector<Finish>
  readonly #releases: Collector<Release>
  readonly #agenda: Agenda

  constructor(db: Db, clock: Clock, agenda: Agenda) {
    const bounds = { maxBatch: BATCH, maxWaitMs: WAIT_MS, maxRunning: 2, patienceMs: PATIENCE_MS }
    this.#agenda = agenda
    this.#records = createCollector({
      ...bounds,
      maxWaitMs: RECORD_WAIT_MS,
      write: (items: readonly Record[]) => writeRecords(db, items, clock.nowMs()),
    })
    this.#finishes = createCollector({
      ...bounds,
      write: async (items: readonly Finish[]) => {
        await db.query(finishLeased, finishValues(items))
      },
    })
    this.#releases = createCollector({
      ...bounds,
      write: async (items: readonly Release[]) => {
        const columns = [
          items.map((i) => i.destinationId),
          items.map((i) => i.id),
          items.map((i) => i.leaseId),
        ]
        await db.query(releaseLeased, columns)
      },
    })
  }

  async record(record: Record): Promise<void> {
    await this.#records.add(record)
    for (const delivery of record.deliveries)
      if (delivery.state === 'waiting')
        this.#agenda.add(delivery.lane, delivery.destinationId, delivery.dueMs)
  }

  async finish(item: Finish): Promise<void> {
    await this.#finishes.add(item)
    if (item.state === 'waiting') this.#agenda.add(1, item.destinationId, item.dueMs)
  }

  release(item: Release): Promise<void> {
    return this.#releases.add(item)
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    await Promise.all([this.#records.settled(), this.#finishes.settled(), this.#releases.settled()])
  }
}
