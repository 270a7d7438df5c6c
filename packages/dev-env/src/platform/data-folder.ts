import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { identityOf } from './process-identity.ts'

export type DataFolder = {
  path: string
  /** A file or folder in it. */
  at: (...names: string[]) => string
  /** True when the last process that used it ended without releasing it. */
  abandoned: boolean
  release: () => void
}

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Others may enter but not list it, so that PostgreSQL's unprivileged user reaches its own folder. */
const PASSABLE = 0o711

const PRIVATE = 0o700

const makeFolder = (path: string, mode: number): void => {
  mkdirSync(path, { recursive: true })
  if (statSync(path).uid === process.getuid?.()) chmodSync(path, mode)
}

/**
 * Locks the data folder for this process.
 *
 * @throws Error naming DATA_DIR and the process that uses it
 */
export const takeDataFolder = (dataDir: string): DataFolder => {
  const path = resolve(dataDir)
  makeFolder(path, PASSABLE)
  makeFolder(join(path, 'logs'), PRIVATE)
  const pidFile = join(path, 'platform.pid')
  const holder = read(pidFile)
  const pid = Number.parseInt(holder ?? '', 10)
  if (holder !== null && identityOf(pid) === holder) {
    throw new Error(
      `DATA_DIR ${dataDir} is in use by process ${pid}: stop that one, or set DATA_DIR to another folder`,
    )
  }
  rmSync(pidFile, { force: true })
  // Of two concurrent starts only one can create the file.
  writeFileSync(pidFile, identityOf(process.pid) ?? '', { flag: 'wx', mode: 0o600 })
  return {
    path,
    at: (...names) => join(path, ...names),
    abandoned: holder !== null,
    release: () => rmSync(pidFile, { force: true }),
  }
}
