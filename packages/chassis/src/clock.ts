/**
 * The one clock (ADR 0001): the process's time, corrected by the measured difference to the database's clock, plus an
 * offset that tests and the sandbox move.
 */
export type Clock = {
  nowMs(): number
  now(): Date
  /**
   * The real time, which tests and the sandbox do not move: for signatures and times of other parties, and for the
   * deadlines of requests in flight while the time is moved.
   */
  outsideMs(): number
  /** Moves the time forward; for tests and the sandbox alone. */
  advance(ms: number): void
  /** Sum of all moves. */
  offsetMs(): number
  /** Calls the listener after every move, to wake what sleeps until a due time. @returns how to unsubscribe */
  onMoved(listener: () => void): () => void
  /** Sets how many milliseconds the database's clock is ahead of this process's. */
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
