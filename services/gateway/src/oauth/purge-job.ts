import type { Clock, Db, Logger } from '@causeway/chassis'
import { clientStore } from '../clients/store.ts'
import { revokedTokenStore } from './store.ts'

const INTERVAL_MS = 60_000

/** Forgets used assertions and revoked tokens that have expired: they are refused by their own times. Every replica does it. */
export const startForgetting = ({ db, clock, log }: Readonly<{ db: Db; clock: Clock; log: Logger }>) => {
  const timer = setInterval(() => {
    Promise.all([
      clientStore.forgetAssertions(db, new Date(clock.outsideMs())),
      revokedTokenStore.forget(db, clock.now()),
    ]).catch((error: unknown) => log.warn({ error }, 'Expired credentials could not be forgotten'))
  }, INTERVAL_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
