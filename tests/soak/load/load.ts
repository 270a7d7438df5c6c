import { setTimeout as delay } from 'node:timers/promises'
import type { Journal } from '../journal.ts'
import type { Party } from '../parties.ts'
import { createRandom } from '../random.ts'
import { cardOrder } from './card-orders.ts'
import { cryptoOrder } from './crypto-orders.ts'
import { browse, signUp } from './customers.ts'
import type { Scenario } from './scenario.ts'
import { createSessions } from './session.ts'

/** Eight workers with these pauses are about 20 calls a second: one core of two is left for what the faults cost. */
const WORKERS = 8
const PAUSE_MS = [100, 500] as const

/** Scenarios; the frequency of each is its number of entries. */
const SCENARIOS: readonly Scenario[] = [
  ...Array<Scenario>(4).fill(cryptoOrder),
  ...Array<Scenario>(4).fill(cardOrder),
  signUp,
  browse,
]

/** Workers that each do one scenario after the other. Their choices are the seed's; what they meet is not. */
export const startLoad = (
  site: Readonly<{ baseUrl: string; sandboxUrl: string; operatorKey: string }>,
  parties: readonly Party[],
  journal: Journal,
  seed: number,
) => {
  const stopping = new AbortController()
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined)
  const sessions = createSessions(site, journal, () => stopping.signal.aborted)
  const callers = parties.map((party) => ({ party, partner: sessions.ofPartner(party) }))
  const work = async (worker: number): Promise<void> => {
    const random = createRandom(seed * 1_009 + worker)
    for (let number = 0; !stopping.signal.aborted; number += 1) {
      const caller = random.pick(callers)
      const name = `soak-${seed}-${worker}-${number}`
      const shop = random.pick(caller.party.shops)
      await random.pick(SCENARIOS)({ ...caller, random, name, shop, sessions, pause })
      await pause(random.integer(...PAUSE_MS))
    }
  }
  const workers = Array.from({ length: WORKERS }, (_, worker) => work(worker))
  return {
    unsettled: sessions.unsettled,
    /** Ends after the calls that are under way. */
    stop: async () => {
      stopping.abort()
      await Promise.all(workers)
    },
  }
}
