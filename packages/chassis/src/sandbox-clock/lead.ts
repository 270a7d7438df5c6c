import { SANDBOX_CLOCK } from '@causeway/contracts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '../bus/connect.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { REPORT_EVERY_MS, Report } from './report.ts'

/** A process that has not reported for so long counts as stopped. */
const SILENT_MS = 5 * REPORT_EVERY_MS
const LOOK_MS = 20
const PATIENCE_MS = 30_000

/** Controls simulated time; sandbox only. */
export type LeadingClock = Readonly<{
  /**
   * Moves the time forward and waits until every running process has the new time.
   * @returns false when that took too long: the time is moved, and the remaining processes follow
   */
  advance: (ms: number) => Promise<boolean>
  stop: () => void
}>

const reportOf = (text: string): Report | null => {
  try {
    return Report.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/**
 * Tells every process of the sandbox how far the time is moved (ADR 0020). A report may be ahead of this process, as
 * after a start without its data: then this process moves too, because time never goes back.
 *
 * @param options.remember stores the offset for the next start; called before any process learns it
 */
export const leadSandboxClock = (
  options: Readonly<{
    bus: Bus
    clock: Clock
    log: Logger
    remember: (offsetMs: number) => void
    silentMs?: number
  }>,
): LeadingClock => {
  const { bus, clock, log, remember, silentMs = SILENT_MS } = options
  const followers = new Map<string, { offsetMs: number; seenAtMs: number }>()

  const moveTo = (offsetMs: number) => {
    remember(offsetMs)
    clock.advance(offsetMs - clock.offsetMs())
    bus.nudge(SANDBOX_CLOCK.moved)
  }
  const note = ({ instance, offsetMs, isGone }: Report) => {
    if (isGone) followers.delete(instance)
    else followers.set(instance, { offsetMs, seenAtMs: performance.now() })
    if (offsetMs > clock.offsetMs()) moveTo(offsetMs)
  }
  const subscription = bus.connection.subscribe(SANDBOX_CLOCK.report, {
    callback: (error, message) => {
      const report = error ? null : reportOf(message.string())
      if (report === null) {
        log.warn({ event: 'clock.report_not_read', error }, 'A report to the clock could not be parsed')
        return
      }
      note(report)
      message.respond(JSON.stringify({ offsetMs: clock.offsetMs() }))
    },
  })
  const isEverywhere = (offsetMs: number): boolean => {
    const silentSinceMs = performance.now() - silentMs
    // While the bus is disconnected no report arrives: a silent process may be running.
    if (!bus.connected()) return false
    for (const [instance, follower] of followers) {
      if (follower.seenAtMs < silentSinceMs) followers.delete(instance)
      else if (follower.offsetMs < offsetMs) return false
    }
    return true
  }
  return {
    async advance(ms) {
      const offsetMs = clock.offsetMs() + ms
      const endsAtMs = performance.now() + PATIENCE_MS
      moveTo(offsetMs)
      while (!isEverywhere(offsetMs)) {
        if (performance.now() > endsAtMs) return false
        await sleep(LOOK_MS)
      }
      return true
    },
    stop: () => subscription.unsubscribe(),
  }
}
