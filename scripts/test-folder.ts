import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem, userInfo } from 'node:os'
import { join } from 'node:path'
import { isRunning } from '@causeway/dev-env/infrastructure/running'

const NEEDED_BYTES = 8 * 1024 ** 3
/** With the user and the process whose it is. */
const NAME = /^causeway-run-(\d+)-(\d+)-/

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

/** Removes what this user's killed runs have left: those of no process, or of one that had this process's id before. */
const removeStale = (parent: string): void => {
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const [user, pid] = NAME.exec(name)?.slice(1).map(Number) ?? []
    if (pid === undefined || user !== userInfo().uid) continue
    if (pid === process.pid || !isRunning(pid)) rmSync(join(parent, name), { recursive: true, force: true })
  }
}

/**
 * Makes the folder for all that a run of tests stores: in memory where there is room, because a database is created
 * there in a tenth of the time.
 */
export const openTestFolder = (room: Room): { path: string; remove: () => void } => {
  removeStale(room.memory)
  removeStale(room.disk)
  const name = `causeway-run-${userInfo().uid}-${process.pid}-`
  const path = mkdtempSync(join(isRoomy(room) ? room.memory : room.disk, name))
  // PostgreSQL, which does not run as root, has its data below.
  chmodSync(path, 0o711)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
