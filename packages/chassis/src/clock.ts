/**
 * The one clock. Everything that reads the time reads it here: the process's time, corrected by how far
 * the database's clock was seen to differ, plus an offset that tests and the sandbox move.
 */
export type Clock = {
  nowMs(): number
  now(): Date
  /**
   * The time outside, which nothing moves: for what strangers sign or judge by clocks of their own, and for the
   * deadlines of requests that are under way while the time is moved.
   */
  outsideMs(): number
  /** Moves the time forward; for tests and the sandbox alone. */
  advance(ms: number): void
  /** How far the time was moved in all. */
  offsetMs(): number
  /** Called after every move, for what sleeps until a due time. @returns how to stop being called */
  onMoved(listener: () => void): () => void
  /** Tells how many milliseconds the database's clock is ahead of this process's. */
  follow(skewMs: number): void
}

export const createClock = (
  readMs: () => number = () => performance.timeOrigin + performance.now(),
): Clock => {
  let skewMs = 0
  let offsetMs = 0
  const listeners = new Set<() => void>()
  const outsideMs = () => Math.round(readMs() + skewMs)
  const nowMs = () => outsideMs() + offsetMs
  return {
    nowMs,
    now: () => new Date(nowMs()),
    outsideMs,
    advance: (ms) => {
      offsetMs += ms
      for (const listener of listeners) listener()
    },
    offsetMs: () => offsetMs,
    onMoved: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    follow: (measuredMs) => {
      skewMs = measuredMs
    },
  }
}
