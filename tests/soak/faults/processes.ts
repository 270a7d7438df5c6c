import { COMPONENTS } from '@causeway/dev-env/platform/components'
import type { Supervised } from '@causeway/dev-env/platform/supervised'
import type { SoakPlatform } from '../soak-platform.ts'
import { createBag, type FaultKind } from './fault.ts'
import type { Random } from '../random.ts'

const SERVERS = ['postgres', 'nats'] as const
const PROCESSES = [...COMPONENTS, ...SERVERS] as const
type ProcessName = (typeof PROCESSES)[number]

/** @throws when the platform uses servers that it has not started */
export const processOf = (platform: SoakPlatform, name: ProcessName): Supervised => {
  const found = name === 'postgres' || name === 'nats' ? platform[name] : platform.processes[name]
  if (found === null) throw new Error(`The platform has not started ${name}`)
  return found
}

/** Every process of the platform. */
export const allProcesses = (platform: SoakPlatform): Supervised[] =>
  PROCESSES.map((name) => processOf(platform, name))

/** Kinds share one bag of processes, so that nine kills are of nine processes. */
export const processFaults = (random: Random): readonly [FaultKind, FaultKind, FaultKind, FaultKind] => {
  const nextKilled = createBag(PROCESSES, random)
  const nextStopped = createBag(PROCESSES, random)
  const nextRestarted = createBag([...SERVERS, ...COMPONENTS], random)
  const kill = (platform: SoakPlatform, names: readonly ProcessName[]) => ({
    what: `kill -9 of ${names.join(', ')}`,
    begin: () => {
      for (const name of names) processOf(platform, name).kill('SIGKILL')
    },
  })
  return [
    { kind: 'kill -9', next: (platform) => kill(platform, [nextKilled()]) },
    {
      kind: 'kill -9 of several together',
      next: (platform) => kill(platform, [...new Set([nextKilled(), nextKilled(), nextKilled()])]),
    },
    {
      kind: 'SIGSTOP',
      next: (platform) => {
        const name = nextStopped()
        const process = processOf(platform, name)
        return {
          what: `SIGSTOP of ${name}`,
          begin: () => process.kill('SIGSTOP'),
          end: () => process.kill('SIGCONT'),
          lastsMs: random.integer(1_000, 4_000),
        }
      },
    },
    {
      kind: 'restart',
      next: (platform) => {
        const name = nextRestarted()
        // It waits until the new process is ready, which may take longer than the next fault does.
        return { what: `restart of ${name}`, begin: () => void processOf(platform, name).restart() }
      },
    },
  ]
}
