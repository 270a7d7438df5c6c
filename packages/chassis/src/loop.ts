import type { Logger } from './log.ts'
import { metrics } from './metrics.ts'
import { withNewRequestId } from './telemetry/request-id.ts'
import { span } from './telemetry/span.ts'

/** Work that is done again and again, one run at a time. */
export type Loop = {
  /** Runs soon instead of at the next turn. */
  wake: () => void
  /** Waits for the run under way. */
  stop: () => Promise<void>
}

type LoopOptions = Readonly<{
  name: string
  /** Pause between the end of a run and the next. */
  everyMs: number
  /** Maximum share of the time that runs may take, such as 0.01: pauses grow with the duration of a run, up to a minute. */
  maxShare?: number
  /** Shortest pause, even when woken or when there is more: what comes in the meantime goes into one run. */
  restMs: number
  log: Logger
  /**
   * One run, with a separate request id. Logs at most one error every 5 s; the next run retries. `signal` ends long waits at
   * a stop. Returns true if more work may be left, so that the next run starts immediately.
   */
  run: (signal: AbortSignal) => Promise<void> | Promise<boolean>
  /** Pause after a failed run, woken or not; left out: as after any other run. */
  retryMs?: number
  /** True if an error is logged as information, such as one of a start. */
  isExpected?: (error: unknown) => boolean
}>

const failing = metrics.gauge(
  'causeway_job_failing_seconds',
  'Seconds since a background job last succeeded, if its latest run failed; 0: it succeeded',
  ['background_job'],
)

/** However long a run took: what it tells must not be older than this and itself. */
const LONGEST_SHARED_PAUSE_MS = 60_000
/** A job may run many times a second: what keeps failing is not logged each time. */
const LOG_EVERY_MS = 5_000

/** Starts work that runs in this process until it is stopped; the first run starts immediately. */
export const startLoop = (options: LoopOptions): Loop => {
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
  const waitForTurn = (tookMs: number) => {
    const sharedMs = options.maxShare === undefined ? 0 : tookMs / options.maxShare
    const pauseMs = Math.max(options.everyMs, Math.min(sharedMs, LONGEST_SHARED_PAUSE_MS))
    return pause(isWoken ? 0 : pauseMs, (end) => (endPause = end))
  }
  let failures = 0
  let succeededAtMs = performance.now()
  let loggedAtMs = Number.NEGATIVE_INFINITY
  /** Logs the first failure after a success, and then one every five seconds while it keeps failing. */
  const logFailure = (error: unknown) => {
    failures += 1
    failing.set({ background_job: options.name }, (performance.now() - succeededAtMs) / 1_000)
    if (failures > 1 && performance.now() - loggedAtMs < LOG_EVERY_MS) return
    loggedAtMs = performance.now()
    const fields = { event: 'job.failed', error, job: options.name, failures }
    if (options.isExpected?.(error)) options.log.info(fields, 'A job failed and is retried')
    else options.log.warn(fields, 'A job failed and is retried')
  }
  const turn = async () => {
    isWoken = false
    let isMore = false
    const begunMs = performance.now()
    try {
      const run = (): Promise<unknown> => options.run(signal)
      isMore = (await withNewRequestId(() => span.job(options.name, run))) === true
      failures = 0
      succeededAtMs = performance.now()
      failing.set({ background_job: options.name }, 0)
    } catch (error) {
      if (!signal.aborted) logFailure(error)
      if (options.retryMs !== undefined) return rest(options.retryMs)
    }
    const tookMs = performance.now() - begunMs
    await rest(options.restMs)
    if (!isMore) await waitForTurn(tookMs)
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
