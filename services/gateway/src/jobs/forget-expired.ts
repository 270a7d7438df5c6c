import type { Clock, Db, Logger } from '@causeway/chassis'
import { clientStore } from '../store/clients.ts'

const INTERVAL_MS = 60_000

/** Forgets used assertions that have expired: they are refused by their own times. Every replica does it. */
export const startForgetting = ({ db, clock, log }: Readonly<{ db: Db; clock: Clock; log: Logger }>) => {
  const timer = setInterval(() => {
    clientStore
      .forgetAssertions(db, new Date(clock.outsideMs()))
      .catch((error: unknown) => log.warn({ error }, 'Used assertions could not be forgotten'))
  }, INTERVAL_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
