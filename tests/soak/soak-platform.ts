import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlatformOptions } from '@causeway/dev-env/platform/platform'
import { startTestPlatform, type TestPlatform } from '../journeys/platform.ts'
import { mountDisk, type Disk } from './faults/disk.ts'
import { startTcpProxy, type TcpProxy } from './faults/tcp-proxy.ts'

/** Settings of a soak: production's timeouts, and retries that end within it. */
const SETTINGS = {
  TIMEOUT_FACTOR: '1',
  MERCHANT_RETRY_INTERVAL: '2s',
  // Many orders are disputed: no merchant may lose its card payments.
  CHARGEBACK_THRESHOLD_MIN: '1000000',
  LOG_LEVEL: 'warn',
}

/** The whole platform on a separate disk, with a proxy in front of each server. */
export type SoakPlatform = TestPlatform &
  Readonly<{
    disk: Disk
    /** By component and server: `payments to postgres`. */
    ways: ReadonlyMap<string, TcpProxy>
  }>

/** @param mains replaces entry files of services: a soak that must fail runs a broken one */
export const startSoakPlatform = async (
  options: Pick<PlatformOptions, 'mains' | 'log'> = {},
): Promise<SoakPlatform> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'causeway-soak-'))
  const disk = mountDisk(dataDir)
  const ways = new Map<string, TcpProxy>()
  const reroute = async (name: string, serverUrl: string): Promise<string> => {
    const url = new URL(serverUrl)
    const way = await startTcpProxy({ host: url.hostname, port: Number(url.port) })
    ways.set(`${name} to ${url.protocol === 'nats:' ? 'nats' : 'postgres'}`, way)
    url.port = String(way.port)
    return url.href
  }
  const close = async (): Promise<void> => {
    await Promise.all([...ways.values()].map((way) => way.stop()))
    disk.unmount()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const platform = await startTestPlatform(SETTINGS, { ...options, dataDir, reroute })
    const stop = async (): Promise<void> => {
      await platform.stop()
      await close()
    }
    return { ...platform, disk, ways, stop }
  } catch (error) {
    await close()
    throw error
  }
}
