import { startLoop, type Clock, type Db, type Logger, type Loop } from '@causeway/chassis'
import * as merchantStore from '../../merchants/store.ts'
import { emitChange } from '../../relationship-state/changes.ts'
import * as relationshipStore from '../../relationship-state/store.ts'
import { bringIntoForce } from '../store.ts'

/** Merchants in one transaction: each of their relationships may emit eight events. */
const BATCH = 100
/** After at most this time a version comes into force, and a publication by another replica, or a sign-up during one, is noticed. */
const EVERY_MS = 1_000

type Dependencies = Readonly<{ db: Db; clock: Clock; log: Logger }>

/** Brings into force what is due, and emits for the merchants whom publications concern. @returns whether there may be more */
const runBatch = async (dependencies: Dependencies): Promise<boolean> => {
  const { db, clock } = dependencies
  await db.transaction((tx) => bringIntoForce(tx, clock.now()))
  // A look without a transaction is one statement instead of three.
  const isDue = (await merchantStore.lockMerchantsOfOldRevisions(db, { limit: 1 })).length > 0
  return isDue && emitBatch(dependencies)
}

/** Emits for one batch of merchants what publications have changed. @returns whether there may be more */
const emitBatch = ({ db, clock }: Dependencies): Promise<boolean> =>
  db.transaction(async (tx) => {
    const locked = await merchantStore.lockMerchantsOfOldRevisions(tx, { limit: BATCH })
    const merchantIds = locked.map((merchant) => merchant.id)
    if (merchantIds.length === 0) return false
    const befores = await relationshipStore.listOfMerchants(tx, { merchantIds })
    const afters = await relationshipStore.updateAgreementsRevision(tx, { merchantIds })
    for (const after of afters) {
      const before = befores.find((known) => known.partnerCustomerId === after.partnerCustomerId)
      if (!before) throw new Error('A relationship of a locked merchant has no previous state')
      if (before.agreementRequired !== after.agreementRequired) emitChange(tx, before, after, clock.now())
    }
    return true
  })

/**
 * Emits the capability changes by the publication of an agreement, for every relationship. Replies show the change
 * immediately; the events follow in batches, so that a publication costs the same with a million relationships.
 * Replicas share the work: each skips rows that another has locked.
 */
export const startPublicationEvents = (dependencies: Dependencies): Loop =>
  startLoop({
    name: 'publication-events',
    everyMs: EVERY_MS,
    restMs: 0,
    log: dependencies.log,
    run: () => runBatch(dependencies),
  })
