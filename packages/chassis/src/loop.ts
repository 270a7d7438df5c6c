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
 * @param options.retryMs pause after a failed run, woken or not; left out: as after any other run
 * @param options.isExpected whether a fault is logged as information, such as one of a start-up
 */
export const startLoop = (options: {
  name: string
  everyMs: number
  restMs: number
  log: Logger
  run: (signal: AbortSignal) => Promise<void>
  retryMs?: number
  isExpected?: (error: unknown) => boolean
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
  const rest = (ms: number) => pause(ms, (end) => (endRest = end))
  const waitForTurn = () => pause(isWoken ? 0 : options.everyMs, (end) => (endPause = end))
  const logFailure = (error: unknown) => {
    const fields = { event: 'job.failed', error, job: options.name }
    if (options.isExpected?.(error)) options.log.info(fields, 'A job failed and is tried again')
    else options.log.warn(fields, 'A job failed and is tried again')
  }
  const turn = async () => {
    isWoken = false
    try {
      await withNewRequestId(() => options.run(signal))
    } catch (error) {
      if (!signal.aborted) logFailure(error)
      if (options.retryMs !== undefined) return rest(options.retryMs)
    }
    await rest(options.restMs)
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
