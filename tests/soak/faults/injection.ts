import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '@causeway/chassis/testing'
import { createRandom } from '../random.ts'
import type { SoakPlatform } from '../soak-platform.ts'
import { createBag, type Fault, type FaultKind } from './fault.ts'
import { networkFaults } from './network.ts'
import { allProcesses, processFaults } from './processes.ts'
import { mendProviders, providerFaults } from './providers.ts'

export const FAULT_INTERVAL_MS = 5_000
const DISK_FULL_MS = 3_000

/** A fault that happened; `atMs` since the first. */
export type Injected = Readonly<{ atMs: number; kind: string; what: string }>

/**
 * Afterwards NATS is restarted: a stream whose write failed refuses every later one, however much space there is
 * (nats-server 2.14), and readiness does not show it. Until then events wait in the outboxes.
 */
const diskFull: FaultKind = {
  kind: 'disk full',
  next: ({ disk, nats }) => ({
    what: 'disk full',
    begin: disk.fill,
    end: () => {
      disk.free()
      void nats?.restart()
    },
    lastsMs: DISK_FULL_MS,
  }),
}

/** Kinds as often as they are drawn in one round of the bag: 18 faults, one and a half minutes. */
const kindsOf = (platform: SoakPlatform, random: ReturnType<typeof createRandom>): FaultKind[] => {
  const [kill, killSeveral, stop, restart] = processFaults(random)
  const [cut, silence, slow] = networkFaults(random)
  const providers = providerFaults(random)
  const [card] = providers
  const kinds = [
    kill,
    kill,
    kill,
    killSeveral,
    killSeveral,
    stop,
    stop,
    restart,
    restart,
    cut,
    cut,
    silence,
    slow,
  ]
  return [
    ...kinds,
    ...providers,
    ...(card === undefined ? [] : [card]),
    ...(platform.disk.skipped === null ? [diskFull] : []),
  ]
}

/** Injects a fault every five seconds, drawn from the seed, until it is stopped. */
export const startFaults = (platform: SoakPlatform, seed: number, onFault: (fault: Injected) => void) => {
  const random = createRandom(seed)
  const nextKind = createBag(kindsOf(platform, random), random)
  const stopping = new AbortController()
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined)
  const startMs = performance.now()
  const injected: Injected[] = []
  const inject = async (fault: Fault, kind: string): Promise<void> => {
    const record = { atMs: performance.now() - startMs, kind, what: fault.what }
    injected.push(record)
    onFault(record)
    await fault.begin()
    await pause(fault.lastsMs ?? 0)
    await fault.end?.()
  }
  const run = async (): Promise<void> => {
    for (let number = 0; ; number += 1) {
      await pause(Math.max(0, startMs + number * FAULT_INTERVAL_MS - performance.now()))
      if (stopping.signal.aborted) return
      const { kind, next } = nextKind()
      await inject(next(platform, random), kind)
    }
  }
  const running = run()
  return {
    injected,
    /** Rejects when a fault cannot be injected. */
    running,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** Ends every fault and waits until the whole platform says that it is ready. */
export const heal = async (platform: SoakPlatform): Promise<void> => {
  platform.disk.free()
  for (const way of platform.ways.values()) {
    way.setSilent(false)
    way.setDelay(0)
  }
  for (const process of allProcesses(platform)) process.kill('SIGCONT')
  await Promise.all(allProcesses(platform).map((process) => process.whenReady()))
  await mendProviders(platform)
  await eventually(async () => (await fetch(`${platform.baseUrl}/readyz`)).status === 200)
}
