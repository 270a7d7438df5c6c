type Waiting<K, V> = { key: K; resolve: (value: V) => void; reject: (error: unknown) => void }

/**
 * Coalesces concurrent calls into batches: calls of one turn of the event loop, or made while `maxRunning` batches are
 * in flight, go into the next batch. `run` returns its values in the order of its keys. When it throws, every call of
 * that batch fails with its error.
 */
export const createBatcher = <K, V>(options: {
  maxBatch: number
  maxRunning: number
  run: (keys: readonly K[]) => Promise<readonly V[]>
}): { load: (key: K) => Promise<V> } => {
  let waiting: Waiting<K, V>[] = []
  let running = 0
  let scheduled = false

  const schedule = () => {
    if (scheduled || waiting.length === 0 || running >= options.maxRunning) return
    scheduled = true
    setImmediate(start)
  }
  const start = () => {
    scheduled = false
    const batch = waiting.slice(0, options.maxBatch)
    waiting = waiting.slice(options.maxBatch)
    running += 1
    void settle(batch).finally(() => {
      running -= 1
      schedule()
    })
    schedule()
  }
  const settle = async (batch: readonly Waiting<K, V>[]) => {
    try {
      const values = await options.run(batch.map((call) => call.key))
      if (values.length !== batch.length)
        throw new Error(`A batch of ${batch.length} keys returned ${values.length} values`)
      batch.forEach((call, index) => call.resolve(values[index] as V))
    } catch (error) {
      for (const call of batch) call.reject(error)
    }
  }
  return {
    load: (key) =>
      new Promise<V>((resolve, reject) => {
        waiting.push({ key, resolve, reject })
        schedule()
      }),
  }
}
