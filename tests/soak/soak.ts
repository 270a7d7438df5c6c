import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '@causeway/chassis/testing'
import type { PlatformOptions } from '@causeway/dev-env/platform/platform'
import { startBooksSampler } from './books-sampler.ts'
import { runChecks } from './checks/checks.ts'
import { countRepeats } from './checks/deliveries.ts'
import type { Findings } from './checks/findings.ts'
import { waitUntilQuiet } from './checks/quiet.ts'
import { heal, startFaults, type Injected } from './faults/injection.ts'
import { createJournal, type Entry } from './journal.ts'
import { startLoad } from './load/load.ts'
import { isSettled, type Unsettled } from './load/session.ts'
import { createParties } from './parties.ts'
import { startSoakPlatform } from './soak-platform.ts'

export type SoakOptions = Readonly<{
  seed: number
  loadMs: number
  /** False: load alone. */
  withFaults?: boolean
  log?: (line: string) => void
  /** Ends it early: nothing is checked then, and what was started is stopped. */
  signal?: AbortSignal
}> &
  Pick<PlatformOptions, 'mains'>

export type SoakResult = Readonly<{
  seed: number
  loadMs: number
  entries: readonly Entry[]
  faults: readonly Injected[]
  findings: Findings
  /** Why the disk was never full; null: it was. */
  diskSkipped: string | null
  /** Deliveries that a receiver got again. */
  repeats: number
}>

/** Asks again for every outcome that its caller does not know. */
const settle = async (unsettled: readonly Unsettled[]): Promise<void> => {
  for (const { session, asked, request } of unsettled)
    await eventually(async () => isSettled(await session.send(asked, request)), { withinMs: 60_000 }).catch(
      // What is still unknown then is in the journal, and counts as undocumented: nothing is broken any more.
      () => undefined,
    )
}

/**
 * Starts the platform, puts it under load while one fault after the other is injected, heals it, waits until it is quiet,
 * and compares it with what its callers, its receivers and the world outside have on record.
 */
export const runSoak = async ({
  seed,
  loadMs,
  withFaults = true,
  log = () => undefined,
  signal,
  mains = {},
}: SoakOptions): Promise<SoakResult> => {
  log(`seed ${seed}`)
  const platform = await startSoakPlatform({ mains, log })
  try {
    const parties = await createParties(platform)
    const journal = createJournal()
    const sampler = startBooksSampler(platform)
    const load = startLoad(platform, parties, journal, seed)
    const faults = withFaults
      ? startFaults(platform, seed, ({ atMs, what }) => log(`${(atMs / 1_000).toFixed(0)} s: ${what}`))
      : null
    const loaded = delay(loadMs, undefined, { signal })
    try {
      await Promise.race([loaded, ...(faults ? [faults.running] : [])])
    } finally {
      await faults?.stop()
    }
    await heal(platform)
    log('healed')
    await load.stop()
    await settle(load.unsettled)
    const destinations = parties.flatMap((party) => party.destinations)
    const left = await waitUntilQuiet(platform, destinations, log)
    log('quiet')
    const samples = await sampler.stop()
    const findings = await runChecks(platform, parties, { entries: journal.entries, left, samples })
    await Promise.all(destinations.map((destination) => destination.stop()))
    return {
      seed,
      loadMs,
      entries: journal.entries,
      faults: faults?.injected ?? [],
      findings,
      diskSkipped: platform.disk.skipped,
      repeats: countRepeats(destinations),
    }
  } finally {
    await platform.stop()
  }
}
