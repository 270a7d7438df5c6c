import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { isRunning } from './infrastructure/running.ts'

const NEEDED_BYTES = 8 * 1024 ** 3

export type Room = Readonly<{
  /** Folder of a file system in memory, if there is one. */
  memory: string
  /** Where else. */
  disk: string
  /** How much the file system and the machine must have left. */
  neededBytes?: number
}>

const isRoomy = ({ memory, neededBytes = NEEDED_BYTES }: Room): boolean => {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, freemem()) >= neededBytes
}

/** Removes what runs have left that were killed. */
const removeStale = (parent: string): void => {
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const [, pid] = /^causeway-run-(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(parent, name), { recursive: true, force: true })
  }
}

/**
 * Makes the folder for all that a run of tests stores: in memory where there is room, because a database is created
 * there in a tenth of the time.
 */
export const openTestFolder = (room: Room): { path: string; remove: () => void } => {
  removeStale(room.memory)
  removeStale(room.disk)
  const path = join(isRoomy(room) ? room.memory : room.disk, `causeway-run-${process.pid}`)
  mkdirSync(path)
  // PostgreSQL, which does not run as root, has its data below.
  chmodSync(path, 0o711)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
