import { SANDBOX_CLOCK } from '@causeway/contracts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '../bus/connect.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { REPORT_EVERY_MS, Report } from './report.ts'

/** A process that was silent for so long has died, or reads no time. */
const SILENT_MS = 5 * REPORT_EVERY_MS
const LOOK_MS = 20
const PATIENCE_MS = 30_000

/** The hand on the clock: the sandbox's alone. */
export type LeadingClock = Readonly<{
  /**
   * Moves the time forward and waits until every process that is alive reads the new time.
   * @returns false when that took too long: the time is moved, and the others follow
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
 * Tells every process of the sandbox how far the time is moved (ADR 0020). What they report may be ahead of what
 * this process remembers, as after a start without its data: then it goes along, for no time ever goes back.
 *
 * @param options.remember keeps the offset for the next start; called before anybody hears of it
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
        log.warn({ event: 'clock.report_not_read', error }, 'A report to the clock could not be read')
        return
      }
      note(report)
      message.respond(JSON.stringify({ offsetMs: clock.offsetMs() }))
    },
  })
  const isEverywhere = (offsetMs: number): boolean => {
    const silentSinceMs = performance.now() - silentMs
    // Nobody is heard while the bus is away: that says nothing of them.
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
