import { SANDBOX_CLOCK } from '@causeway/contracts'
import { randomUUID } from 'node:crypto'
import pRetry from 'p-retry'
import type { Bus } from '../bus/connect.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { startLoop } from '../loop.ts'
import { REPORT_EVERY_MS, Told, type Report } from './report.ts'

const ASK_TIMEOUT_MS = 2_000
const RETRY_MS = 100
const START_TIMEOUT_MS = 30_000

/**
 * Keeps a process on the sandbox's time: reads it before the process serves, moves when the sandbox nudges, and asks
 * once a second in case a nudge was lost. Only moves forward. Used only where SANDBOX_CLOCK is true.
 *
 * @returns how to stop following
 * @throws Error that names the setting when no sandbox answers
 */
export const followSandboxClock = async (
  parts: Readonly<{ bus: Bus; clock: Clock; log: Logger; timeoutFactor?: number }>,
): Promise<() => Promise<void>> => {
  const { bus, clock, log } = parts
  const instance = randomUUID()
  const ask = async (isGone = false) => {
    const report: Report = { instance, offsetMs: clock.offsetMs(), isGone }
    const payload = JSON.stringify(report)
    const question = { subject: SANDBOX_CLOCK.report, payload, timeoutMs: ASK_TIMEOUT_MS, traceparent: null }
    const answer = await bus.ask(question)
    if (typeof answer === 'string') return null
    return Told.parse(JSON.parse(Buffer.from(answer).toString())).offsetMs
  }
  /** Reports again after each move, so that the sandbox knows. @returns whether the sandbox answered */
  const catchUp = async (): Promise<boolean> => {
    for (;;) {
      const offsetMs = await ask()
      if (offsetMs === null) return false
      const behindMs = offsetMs - clock.offsetMs()
      if (behindMs <= 0) return true
      clock.advance(behindMs)
    }
  }

  const nudges = bus.onNudge(SANDBOX_CLOCK.moved, () => loop.wake())
  const loop = startLoop({
    name: 'sandbox-clock',
    everyMs: REPORT_EVERY_MS,
    restMs: 0,
    log,
    run: async () => {
      await catchUp()
    },
  })
  const begin = async () => {
    if (!(await catchUp()))
      throw new Error('SANDBOX_CLOCK is true, but no sandbox on this bus publishes its time')
  }
  const maxRetryTime = START_TIMEOUT_MS * (parts.timeoutFactor ?? 1)
  try {
    await pRetry(begin, { retries: Infinity, factor: 1, minTimeout: RETRY_MS, maxRetryTime })
  } catch (error) {
    nudges.unsubscribe()
    await loop.stop()
    throw error
  }
  return async () => {
    nudges.unsubscribe()
    await loop.stop()
    await ask(true)
  }
}
