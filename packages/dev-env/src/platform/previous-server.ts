import { readFileSync, rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { commandOf } from './process-identity.ts'

const GONE_WITHIN_MS = 30_000
const POLL_MS = 50

const firstNumber = (path: string): number | null => {
  try {
    return Number.parseInt(readFileSync(path, 'utf8'), 10)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * Waits until the server of a previous start has stopped: after its supervisor was killed that takes a moment. Removes
 * a pid file whose server has ended.
 *
 * @throws Error naming the process when it still runs after 30 s
 */
export const waitForPreviousServer = async (pidFile: string, program: string): Promise<void> => {
  const pid = firstNumber(pidFile)
  if (pid === null) return
  const giveUpAt = Date.now() + GONE_WITHIN_MS
  while (commandOf(pid)?.includes(program)) {
    if (Date.now() > giveUpAt)
      throw new Error(`${program} of an earlier start still runs as process ${pid}: stop it`)
    await delay(POLL_MS)
  }
  rmSync(pidFile, { force: true })
}
