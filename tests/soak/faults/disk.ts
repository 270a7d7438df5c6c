import { execFileSync } from 'node:child_process'
import { mkdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** The disk of the platform: a separate file system in memory, so that filling it affects nothing else. */
export type Disk = Readonly<{
  /** Why it cannot be filled; null: it can. */
  skipped: string | null
  /** From now on nothing more can be written. */
  fill: () => void
  free: () => void
  unmount: () => void
}>

/** Half of the machine's memory at most, as tmpfs itself takes it; only what is stored occupies any. */
const SIZE = '50%'

const mount = (...args: string[]): void =>
  void execFileSync('mount', ['-t', 'tmpfs', '-o', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })

const TRIES = 50

/** Retries: a write between reading the usage and the change makes the new size too small. */
const shrink = (path: string): void => {
  for (let tries = 1; ; tries += 1) {
    const { blocks, bfree, bsize } = statfsSync(path)
    try {
      mount(`remount,size=${(blocks - bfree) * bsize}`, 'tmpfs', path)
      return
    } catch (error) {
      if (tries === TRIES) throw error
    }
  }
}

const withoutDisk = (skipped: string): Disk => {
  const nothing = () => undefined
  return { skipped, fill: nothing, free: nothing, unmount: nothing }
}

/**
 * Mounts a file system at the data folder, which root can do in most places. The sandbox's folder in it is another one:
 * the processor's disk is not the platform's.
 */
export const mountDisk = (dataDir: string): Disk => {
  const ofSandbox = join(dataDir, 'sandbox')
  try {
    // Others may enter but not list it, as the data folder is made.
    mount(`size=${SIZE},mode=711`, 'tmpfs', dataDir)
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer }
    return withoutDisk(`no file system can be mounted here: ${String(stderr ?? error).trim()}`)
  }
  mkdirSync(ofSandbox)
  mount('mode=700', 'tmpfs', ofSandbox)
  return {
    skipped: null,
    fill: () => shrink(dataDir),
    free: () => mount(`remount,size=${SIZE}`, 'tmpfs', dataDir),
    unmount: () => {
      for (const path of [ofSandbox, dataDir]) execFileSync('umount', ['--lazy', path])
    },
  }
}
