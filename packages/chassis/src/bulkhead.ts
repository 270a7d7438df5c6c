import { refuse } from './outcome.ts'

type BulkheadOptions = Readonly<{
  /** Maximum concurrent calls. */
  places: number
  /** Maximum waiting calls; more are refused immediately. */
  maxWaiting: number
}>

const REFUSED = refuse('temporarily_unavailable')
type Refused = typeof REFUSED

/**
 * Limits concurrent calls, so that each call that starts finishes in time under any load. The others wait in order before
 * they start, and are refused, with nothing done, when the wait takes too long.
 */
export const createBulkhead = ({ places, maxWaiting }: BulkheadOptions) => {
  const waiting = new Set<(isEntered: boolean) => void>()
  let running = 0

  const leave = (): void => {
    running -= 1
    const [next] = waiting
    next?.(true)
  }
  const enter = (waitMs: number): Promise<boolean> => {
    if (running < places) {
      running += 1
      return Promise.resolve(true)
    }
    if (waiting.size >= maxWaiting || waitMs <= 0) return Promise.resolve(false)
    return new Promise((resolve) => {
      const settle = (isEntered: boolean) => {
        clearTimeout(timer)
        waiting.delete(settle)
        if (isEntered) running += 1
        resolve(isEntered)
      }
      const timer = setTimeout(settle, waitMs, false)
      waiting.add(settle)
    })
  }

  return {
    /** @param waitMs how long the call may wait for its place */
    run: async <T>(waitMs: number, call: () => Promise<T>): Promise<T | Refused> => {
      if (!(await enter(waitMs))) return REFUSED
      try {
        return await call()
      } finally {
        leave()
      }
    },
  }
}
