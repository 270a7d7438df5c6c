import type { Random } from '../random.ts'
import type { SoakPlatform } from '../soak-platform.ts'
import type { FaultKind } from './fault.ts'

const MODES = ['timeout', 'after_effect_timeout', 'reset', 'error', 'refuse', 'slow', 'unreachable'] as const
const CALLS = ['effect', 'read', 'all'] as const
export const PROVIDERS = ['card', 'onramp', 'chain'] as const

/** Faults end with the sandbox's process, so a sandbox that is down has none to end. */
const set = (platform: SoakPlatform, body: Record<string, unknown>): Promise<void> =>
  platform.sandbox.put('/control/faults', body).then(
    () => undefined,
    () => undefined,
  )

/** Ends the faults of every provider. */
export const mendProviders = async (platform: SoakPlatform): Promise<void> => {
  for (const target of PROVIDERS) await set(platform, { target, mode: 'ok' })
}

/** Slow and broken providers, by the sandbox's own faults. */
export const providerFaults = (random: Random): readonly FaultKind[] =>
  PROVIDERS.map((target) => ({
    kind: `${target} provider`,
    next: (platform) => {
      const mode = random.pick(MODES)
      // A chain's effects are watches alone: what it does not tell is what matters.
      const calls = target === 'chain' ? 'all' : random.pick(CALLS)
      return {
        what: `${target}: ${mode} of ${calls}`,
        begin: () => set(platform, { target, mode, calls }),
        end: () => set(platform, { target, mode: 'ok' }),
        lastsMs: 4_000,
      }
    },
  }))
