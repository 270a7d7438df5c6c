import { startLoop, type Clock, type Db, type Logger, type Loop } from '@causeway/chassis'
import * as merchantStore from '../../merchants/store.ts'
import { updateMerchant } from '../../relationship-state/changes.ts'

/** Merchants in one transaction: each of their relationships may emit eight events. */
const BATCH = 50
const EVERY_MS = 500

type Dependencies = Readonly<{ db: Db; clock: Clock; log: Logger }>

const expireBatch = ({ db, clock }: Dependencies): Promise<boolean> =>
  db.transaction(async (tx) => {
    const now = clock.now()
    const expired = await merchantStore.lockExpiredApprovals(tx, { now, limit: BATCH })
    const verification = { verification: 'expired', expiresAt: null }
    for (const { id: merchantId } of expired)
      await updateMerchant(tx, merchantId, now, () =>
        merchantStore.updateVerification(tx, { merchantId, ...verification }),
      )
    return expired.length === BATCH
  })

/** A look without a transaction: one statement instead of three. */
const hasDue = async ({ db, clock }: Dependencies): Promise<boolean> =>
  (await merchantStore.lockExpiredApprovals(db, { now: clock.now(), limit: 1 })).length > 0

/** Expires approvals: capabilities become unavailable, and every partner gets the events (decisions §7). */
export const startVerificationExpiry = (dependencies: Dependencies): Loop =>
  startLoop({
    name: 'verification-expiry',
    everyMs: EVERY_MS,
    restMs: 0,
    log: dependencies.log,
    run: async () => (await hasDue(dependencies)) && expireBatch(dependencies),
  })
