import { isDataFault, retryTransient } from './retry.ts'

/** Writes items in batches. */
export type BatchWriter<T> = Readonly<{
  /** Resolves once the item is committed; rejects when it could not be written for long, or never can be. */
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

type Waiting<T> = Readonly<{ item: T; resolve: () => void; reject: (error: unknown) => void }>

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
      for (const entry of batch) entry.resolve()
    } catch (error) {
      if (batch.length > 1 && isDataFault(error)) for (const entry of batch) await settle([entry])
      else for (const entry of batch) entry.reject(error)
    }
  }
  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject })
        if (waiting.length >= options.maxBatch) flush()
        else timer ??= setTimeout(flush, options.maxWaitMs)
      }),
    settled: () =>
      running === 0 && waiting.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => idle.push(resolve)),
  }
}
