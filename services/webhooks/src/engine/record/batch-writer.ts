import { isDataFault, retryTransient } from './retry.ts'

/** Waits for items: the two functions of a promise, or one object that counts many items without a cost per item. */
export type Waiter = Readonly<{ resolve: () => void; reject: (error: unknown) => void }>

/** Writes items in batches. */
export type BatchWriter<T> = Readonly<{
  /** Tells the waiter once that the item is committed, or that it could not be written for long, or never can be. */
  enqueue: (item: T, waiter: Waiter) => void
  /** The same as a promise. */
  add: (item: T) => Promise<void>
  /** Resolves when nothing is waiting or being written. */
  settled: () => Promise<void>
}>

type BatchWriterOptions<T> = Readonly<{
  maxBatch: number
  maxWaitMs: number
  /** Batches that are written at the same time. */
  maxRunning: number
  /** For how long a database that cannot be reached is tried again. */
  retryLimitMs: number
  write: (items: readonly T[]) => Promise<void>
}>

type Waiting<T> = Readonly<{ item: T; waiter: Waiter }>

/**
 * A batch is written when it is full or its first item has waited long enough. Writing must be repeatable: after a
 * fault it is unknown whether it was committed, and the batch is written again. An item that the database rejects
 * fails alone.
 */
export const createBatchWriter = <T>(options: BatchWriterOptions<T>): BatchWriter<T> => {
  let waiting: Waiting<T>[] = []
  let timer: NodeJS.Timeout | null = null
  let running = 0
  let idle: (() => void)[] = []

  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    while (waiting.length > 0 && running < options.maxRunning) {
      const batch = waiting.slice(0, options.maxBatch)
      waiting = waiting.slice(options.maxBatch)
      running += 1
      void settle(batch).finally(finished)
    }
  }
  const finished = () => {
    running -= 1
    if (waiting.length >= options.maxBatch || (waiting.length > 0 && timer === null)) flush()
    if (running > 0 || waiting.length > 0) return
    for (const resolve of idle) resolve()
    idle = []
  }
  const settle = async (batch: readonly Waiting<T>[]): Promise<void> => {
    try {
      await retryTransient(() => options.write(batch.map((entry) => entry.item)), options.retryLimitMs)
      for (const { waiter } of batch) waiter.resolve()
    } catch (error) {
      if (batch.length > 1 && isDataFault(error)) for (const entry of batch) await settle([entry])
      else for (const { waiter } of batch) waiter.reject(error)
    }
  }
  const enqueue = (item: T, waiter: Waiter) => {
    waiting.push({ item, waiter })
    if (waiting.length >= options.maxBatch) flush()
    else timer ??= setTimeout(flush, options.maxWaitMs)
  }
  return {
    enqueue,
    add: (item) => new Promise((resolve, reject) => enqueue(item, { resolve, reject })),
    settled: () =>
      running === 0 && waiting.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => idle.push(resolve)),
  }
}
