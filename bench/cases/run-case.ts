import { setTimeout as delay } from 'node:timers/promises'
import { steadily } from '../load/steadily.ts'
import type { QueueCase } from './cases.ts'
import type { Ledger } from './ledger.ts'
import type { QueueSystem } from './queue-system.ts'

/** Effect of one case on one queue. */
export type Outcome = Readonly<{
  /** Deliveries a second before. */
  baseline: number
  /** The same while it went on and afterwards, in terms of `baseline`. */
  stress: number
  recovery: number
  /** Until all that was stored had been delivered, from the end of the load. */
  settledMs: number
  stored: number
  /** Stored, and not delivered within a minute. */
  missing: number
  repeated: number
}>

const PER_SECOND = 400
const STORE_AGAIN_MS = 100
const WITHIN_MS = 60_000

/** Stores events steadily, each again until it is stored. */
const createLoad = (system: QueueSystem) => {
  const stored: string[] = []
  const givenUp = new AbortController()
  const make = async () => {
    const event = system.newEvent()
    while (!givenUp.signal.aborted) {
      try {
        await system.store(event)
        stored.push(event.id)
        return
      } catch {
        // The database is unavailable or refuses: that is the case. Jobs that are never stored are not counted.
        await delay(STORE_AGAIN_MS)
      }
    }
  }
  const phases: Promise<number>[] = []
  return {
    offer: (load: number, durationMs: number) => {
      phases.push(steadily({ perSecond: PER_SECOND * load, durationMs }, make))
    },
    async end() {
      const timer = setTimeout(() => givenUp.abort(), WITHIN_MS)
      await Promise.all(phases)
      clearTimeout(timer)
      return stored
    },
  }
}

/** Before, meanwhile and afterwards, each of the same length; then until everything is delivered. */
export const runCase = async (
  { begin, load }: QueueCase,
  system: QueueSystem,
  ledger: Ledger,
  phaseMs: number,
): Promise<Outcome> => {
  await system.restartWorkers()
  const repeatedBefore = ledger.repeated()
  const offered = createLoad(system)
  const rateOf = async (times: number) => {
    const before = ledger.events()
    offered.offer(times, phaseMs)
    await delay(phaseMs)
    return ((ledger.events() - before) * 1_000) / phaseMs
  }
  await rateOf(1)
  const baseline = await rateOf(1)
  const end = await begin?.(system)
  const stress = await rateOf(load)
  await end?.()
  const recovery = await rateOf(1)
  const endedAtMs = performance.now()
  const stored = await offered.end()
  const missing = await ledger.missingOf(stored, WITHIN_MS)
  return {
    baseline,
    stress: stress / baseline,
    recovery: recovery / baseline,
    settledMs: performance.now() - endedAtMs,
    stored: stored.length,
    missing: missing.length,
    repeated: ledger.repeated() - repeatedBefore,
  }
}
