import type { Logger } from './log.ts'
import { withNewRequestId } from './telemetry/request-id.ts'

/** Work that is done again and again, one run at a time. */
export type Loop = {
  /** Runs soon instead of at the next turn. */
  wake: () => void
  /** Waits for the run under way. */
  stop: () => Promise<void>
}

/**
 * @param options.everyMs pause between the end of a run and the next
 * @param options.restMs least pause even when woken, so that what comes in the meantime goes together
 * @param options.run has a request id of its own for each run; a fault is logged and the next turn tries again; `signal` ends long waits at a stop
 */
export const startLoop = (options: {
  name: string
  everyMs: number
  restMs: number
  log: Logger
  run: (signal: AbortSignal) => Promise<void>
}): Loop => {
  const stopping = new AbortController()
  const { signal } = stopping
  let isWoken = false
  let endPause = () => {}
  let endRest = () => {}

  const pause = (ms: number, keepEnd: (end: () => void) => void) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, signal.aborted ? 0 : ms)
      keepEnd(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  const rest = () => pause(options.restMs, (end) => (endRest = end))
  const waitForTurn = () => pause(isWoken ? 0 : options.everyMs, (end) => (endPause = end))
  const turn = async () => {
    isWoken = false
    try {
      await withNewRequestId(() => options.run(signal))
    } catch (error) {
      if (!signal.aborted) options.log.warn({ error, job: options.name }, 'A job failed and is tried again')
    }
    await rest()
    await waitForTurn()
  }
  const running = (async () => {
    while (!signal.aborted) await turn()
  })()
  return {
    wake() {
      isWoken = true
      endPause()
    },
    async stop() {
      stopping.abort()
      endRest()
      endPause()
      await running
    },
  }
}
