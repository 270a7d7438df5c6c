import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../log.ts'
import { NotDoneError } from '../outcome.ts'
import { isAway } from './faults.ts'

const RETRY_MS = 250
const LOG_EVERY_MS = 5_000

/** SQLSTATE 55P03, lock_not_available, and 40P01, deadlock_detected: everything was rolled back. */
const isLocked = (error: unknown): boolean =>
  ['55P03', '40P01'].includes((error as { code?: string }).code ?? '')

/**
 * Runs a step of the start, and repeats it without end while the database is unavailable or locked: a process that
 * exited would come back later than the database does. Logs what it waits for, at most every five seconds.
 * @param log logger of the process
 * @param step what to run
 * @param repeats errors after which the step may run again; left out: all
 * @throws what the server says, such as a wrong password
 */
export const waitForDatabase = async <T>(
  log: Logger,
  step: () => Promise<T>,
  repeats: (error: unknown) => boolean = () => true,
): Promise<T> => {
  let loggedAtMs = Number.NEGATIVE_INFINITY
  for (;;) {
    try {
      return await step()
    } catch (error) {
      if (!repeats(error)) throw error
      const cause = error instanceof NotDoneError ? error.cause : error
      const locked = isLocked(cause)
      if (!locked && !isAway(cause)) throw error
      if (performance.now() - loggedAtMs >= LOG_EVERY_MS) {
        loggedAtMs = performance.now()
        if (locked)
          log.warn({ event: 'db.locked', error }, 'A migration waits for a lock; other statements run first')
        else
          log.warn({ event: 'db.waiting', error }, 'The database is unavailable; this process waits for it')
      }
      await sleep(RETRY_MS)
    }
  }
}
