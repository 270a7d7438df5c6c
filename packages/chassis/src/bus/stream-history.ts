/** The event stream at one moment. `atMs` is of a monotonic clock. */
export type StreamSample = Readonly<{ atMs: number; lastSeq: number; bytes: number }>

export type StreamHistory = Readonly<{
  add: (sample: StreamSample) => void
  /** Returns the last sequence that the stream had `ageMs` ago or earlier; 0 where nobody looked that long ago. */
  lastSeqBefore: (ageMs: number) => number
  /** Returns the seconds until the stream is full at its present growth; Infinity where it does not grow. */
  secondsUntilFull: (maxBytes: number) => number
}>

/** Remembers what the event stream held over the last `spanMs`. A stream that was created anew begins a new history. */
export const createStreamHistory = (spanMs: number): StreamHistory => {
  let samples: StreamSample[] = []
  return {
    add(sample) {
      const isNewStream = sample.lastSeq < (samples.at(-1)?.lastSeq ?? 0)
      const kept = isNewStream ? [] : samples
      // One sample older than the span stays, so that the span is always covered.
      const begin = kept.findLastIndex(({ atMs }) => atMs <= sample.atMs - spanMs)
      samples = [...kept.slice(Math.max(begin, 0)), sample]
    },
    lastSeqBefore(ageMs) {
      const latest = samples.at(-1)
      if (latest === undefined) return 0
      return samples.findLast(({ atMs }) => atMs <= latest.atMs - ageMs)?.lastSeq ?? 0
    },
    secondsUntilFull(maxBytes) {
      const [first] = samples
      const latest = samples.at(-1)
      if (first === undefined || latest === undefined) return Infinity
      const bytesPerMs = (latest.bytes - first.bytes) / (latest.atMs - first.atMs)
      return bytesPerMs > 0 ? Math.max(0, maxBytes - latest.bytes) / bytesPerMs / 1_000 : Infinity
    },
  }
}
