import { startLoop, type Clock, type Db, type Logger, type Loop } from '@causeway/chassis'
import { announce } from '../relationship-state/emit.ts'
import * as merchantStore from '../merchants/store.ts'
import * as store from '../relationship-state/store.ts'

/** Merchants in one transaction: each of their relationships may emit eight events. */
const BATCH = 100
/** How soon another replica's publication, or a sign-up that was under way during one, is noticed. */
const EVERY_MS = 1_000

/** Announces to one batch of merchants what publications mean for them. @returns whether there may be more */
const announceBatch = (db: Db, clock: Clock): Promise<boolean> =>
  db.transaction(async (tx) => {
    const held = await tx.query(merchantStore.holdUntold, [BATCH])
    const merchantIds = held.map((merchant) => merchant.id)
    if (merchantIds.length === 0) return false
    const befores = await tx.query(store.readOfMerchants, [merchantIds])
    const afters = await tx.query(store.settleAgreements, [merchantIds])
    for (const after of afters) {
      const before = befores.find((told) => told.partner_customer_id === after.partner_customer_id)
      if (!before) throw new Error('A relationship of a held merchant came from nowhere')
      if (before.agreement_required !== after.agreement_required) announce(tx, before, after, clock.now())
    }
    return true
  })

/**
 * Tells every relationship's partner, and the services that project it, what a publication of an agreement has made
 * of its capabilities. What is shown is true at once; the telling follows in batches of bounded size, so that a
 * publication costs the same with a million relationships. Replicas share the work: each skips what another holds.
 */
export const startAgreementAnnouncements = (parts: Readonly<{ db: Db; clock: Clock; log: Logger }>): Loop => {
  const { db, clock, log } = parts
  return startLoop({
    name: 'agreement-announcements',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: async (signal) => {
      while (!signal.aborted && (await announceBatch(db, clock)));
    },
  })
}
