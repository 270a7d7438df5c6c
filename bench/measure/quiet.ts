import { setTimeout as delay } from 'node:timers/promises'
import { cpuUsOf, type Measured } from './proc.ts'

const LOOK_MS = 300
/** Share of one core that polls and timers take without requests. */
const QUIET_SHARE = 0.1
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
  for (let before = totalUs(processes); performance.now() < giveUpAtMs;) {
    await delay(LOOK_MS)
    const now = totalUs(processes)
    if (now - before < LOOK_MS * 1_000 * QUIET_SHARE) return
    before = now
  }
  throw new Error(`${processes.map(({ name }) => name).join(', ')} did not come to rest after the load`)
}
