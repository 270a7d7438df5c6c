import { startLoop, type Clock, type Db, type Logger, type Loop } from '@causeway/chassis'
import { changeStanding } from '../relationship-state/change.ts'
import * as merchantStore from '../merchants/store.ts'

/** Merchants in one transaction: each of their relationships may emit eight events. */
const BATCH = 50
const EVERY_MS = 500

const expireBatch = (db: Db, clock: Clock): Promise<boolean> =>
  db.transaction(async (tx) => {
    const now = clock.now()
    const due = await tx.query(merchantStore.holdExpired, [now, BATCH])
    for (const { id } of due)
      await changeStanding(tx, id, now, () => tx.query(merchantStore.setVerification, [id, 'expired', null]))
    return due.length === BATCH
  })

/** Ends approvals whose time is over: capabilities become unavailable, and every partner is told (decisions §7). */
export const startVerificationExpiry = (parts: Readonly<{ db: Db; clock: Clock; log: Logger }>): Loop => {
  const { db, clock, log } = parts
  return startLoop({
    name: 'verification-expiry',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: async (signal) => {
      while (!signal.aborted && (await expireBatch(db, clock)));
    },
  })
}
