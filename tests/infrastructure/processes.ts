import { setTimeout as delay } from 'node:timers/promises'

const GONE_WITHIN_MS = 60_000

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** Waits until the process has ended; false when it still runs after a minute. */
export const whenGone = async (pid: number): Promise<boolean> => {
  const giveUpAt = Date.now() + GONE_WITHIN_MS
  while (isAlive(pid)) {
    if (Date.now() > giveUpAt) return false
    await delay(20)
  }
  return true
}
