import type { Clock, Db } from '@causeway/chassis'
import type { DueIndex } from '../due-index.ts'
import { createBatchWriter, type BatchWriter, type Waiter } from './batch-writer.ts'
import { finishDeliveries, releaseDeliveries, type Finish, type Lease } from './finish-store.ts'
import type { EventRecord, Recorder } from './record-store.ts'
import { RETRY_LIMIT_MS } from './retry.ts'

const BATCH = 256
const WAIT_MS = 5
/** Batches for up to 20 ms: only the stream waits for it, and one statement costs as much as 20 rows. */
const RECORD_WAIT_MS = 20
/** An event that no destination takes delays nobody, so its batch waits longer and is several times larger. */
const UNTAKEN_WAIT_MS = 150
/** Older events may come from a batch that failed: those are handled one after the other, each with its own wait. */
const FRESH_MS = 10_000

type WriterDependencies = Readonly<{
  db: Db
  clock: Pick<Clock, 'nowMs'>
  dueIndex: DueIndex
  record: Recorder
}>

/** Everything that the engine writes, in batches of at most 256; what becomes due goes into the due index. */
export class Writer {
  readonly #records: BatchWriter<EventRecord>
  /** Fresh events without a delivery. */
  readonly #untaken: BatchWriter<EventRecord>
  readonly #finishes: BatchWriter<Finish>
  readonly #releases: BatchWriter<Lease>
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #dueIndex: DueIndex

  constructor({ db, clock, dueIndex, record }: WriterDependencies) {
    const bounds = { maxBatch: BATCH, maxWaitMs: WAIT_MS, maxRunning: 2, retryLimitMs: RETRY_LIMIT_MS }
    this.#clock = clock
    this.#dueIndex = dueIndex
    const write = async (records: readonly EventRecord[]) => {
      await record(db, records)
      this.#addDue(records)
    }
    this.#records = createBatchWriter({ ...bounds, maxWaitMs: RECORD_WAIT_MS, write })
    this.#untaken = createBatchWriter({ ...bounds, maxWaitMs: UNTAKEN_WAIT_MS, write })
    this.#finishes = createBatchWriter({
      ...bounds,
      write: (items: readonly Finish[]) => finishDeliveries(db, items),
    })
    this.#releases = createBatchWriter({
      ...bounds,
      write: (leases: readonly Lease[]) =>
        releaseDeliveries(db, {
          destinationIds: leases.map((lease) => lease.destinationId),
          ids: leases.map((lease) => lease.id),
          leaseIds: leases.map((lease) => lease.leaseId),
        }),
    })
  }

  /** Tells the waiter once that the record is committed, or that it could not be. */
  enqueue(record: EventRecord, waiter: Waiter): void {
    const isUntaken = record.deliveries.length === 0
    const isFresh = this.#clock.nowMs() - record.event.createdMs < FRESH_MS
    const writer = isUntaken && isFresh ? this.#untaken : this.#records
    writer.enqueue(record, waiter)
  }

  /** The same as a promise. */
  record(record: EventRecord): Promise<void> {
    return new Promise((resolve, reject) => this.enqueue(record, { resolve, reject }))
  }

  async finish(item: Finish): Promise<void> {
    await this.#finishes.add(item)
    if (item.state === 'waiting') this.#dueIndex.add(1, item.destinationId, item.dueMs)
  }

  release(lease: Lease): Promise<void> {
    return this.#releases.add(lease)
  }

  #addDue(records: readonly EventRecord[]): void {
    for (const { deliveries } of records)
      for (const { state, priority, destinationId, dueMs } of deliveries)
        if (state === 'waiting') this.#dueIndex.add(priority, destinationId, dueMs)
  }

  /** Resolves when everything is written. */
  async settled(): Promise<void> {
    const writers = [this.#records, this.#untaken, this.#finishes, this.#releases]
    await Promise.all(writers.map((writer) => writer.settled()))
  }
}
