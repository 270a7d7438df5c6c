/** Wakes the calls that wait for a change. Each call sets its own timeout. */
export type Signal = Readonly<{
  /** Resolves at the next {@link notify}, after `waitMs`, or when `abort` fires: never rejects. */
  next: (waitMs: number, abort?: AbortSignal) => Promise<void>
  notify: () => void
}>

export const createSignal = (): Signal => {
  let waiting = new Set<() => void>()
  return {
    next: (waitMs, abort) =>
      new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          abort?.removeEventListener('abort', wake)
          waiting.delete(wake)
          resolve()
        }
        const timer = setTimeout(wake, abort?.aborted === true ? 0 : waitMs)
        abort?.addEventListener('abort', wake)
        waiting.add(wake)
      }),
    notify: () => {
      const woken = waiting
      waiting = new Set()
      for (const wake of woken) wake()
    },
  }
}
