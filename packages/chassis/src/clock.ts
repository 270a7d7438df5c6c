/**
 * The one clock. Everything that reads the time reads it here: the process's time, corrected by how far
 * the database's clock was seen to differ, plus an offset that tests and the sandbox move.
 */
export type Clock = {
  nowMs(): number
  now(): Date
  /** Moves the time forward; for tests and the sandbox alone. */
  advance(ms: number): void
  /** Tells how many milliseconds the database's clock is ahead of this process's. */
  follow(skewMs: number): void
}

export const createClock = (
  readMs: () => number = () => performance.timeOrigin + performance.now(),
): Clock => {
  let skewMs = 0
  let offsetMs = 0
  const nowMs = () => Math.round(readMs() + skewMs + offsetMs)
  return {
    nowMs,
    now: () => new Date(nowMs()),
    advance: (ms) => {
      offsetMs += ms
    },
    follow: (measuredMs) => {
      skewMs = measuredMs
    },
  }
}
