import { setTimeout as delay } from 'node:timers/promises'
import { cpuUsOf, type Measured } from './proc.ts'

const LOOK_MS = 300
/** Share of one core that polls and timers take without requests: of all processes, and of one where they are many. */
const QUIET_SHARE = 0.1
const QUIET_SHARE_EACH = 0.02
const GIVE_UP_MS = 30_000

const totalUs = (processes: readonly Measured[]): number =>
  processes.reduce((sum, measured) => sum + cpuUsOf(measured), 0)

/**
 * Waits until these processes have finished the background work of a load (events to relay, addresses to watch), so
 * that it is counted and does not burden the next contender.
 * @throws when they do not become idle
 */
export const untilQuiet = async (processes: readonly Measured[]): Promise<void> => {
  const giveUpAtMs = performance.now() + GIVE_UP_MS
  const share = Math.max(QUIET_SHARE, QUIET_SHARE_EACH * processes.length)
  for (let before = totalUs(processes); performance.now() < giveUpAtMs;) {
    await delay(LOOK_MS)
    const now = totalUs(processes)
    if (now - before < LOOK_MS * 1_000 * share) return
    before = now
  }
  throw new Error(`${processes.map(({ name }) => name).join(', ')} did not come to rest after the load`)
}
