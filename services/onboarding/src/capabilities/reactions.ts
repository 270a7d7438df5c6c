import { consume, type Db, type ServiceContext } from '@causeway/chassis'
import type { DisputeStanding } from '@causeway/contracts'
import { changeStanding } from '../relationship-state/change.ts'
import * as merchantStore from '../merchants/store.ts'

const BATCH = 64

/** Repeated and overtaken facts change nothing: their version is not above the known one. */
const keepDisputeStanding = (db: Db, standing: DisputeStanding, now: Date): Promise<void> =>
  db.transaction(async (tx) => {
    const { customer_id: merchantId, over_threshold: isOver, version } = standing
    const [known] = await tx.query(merchantStore.holdDisputes, [merchantId])
    if (!known || known.version >= version) return
    await changeStanding(tx, merchantId, now, () =>
      tx.query(merchantStore.setDisputes, [merchantId, isOver, version]),
    )
  })

/** Follows whether merchants' disputes are too many: their card capability becomes unavailable, and returns (decisions §4). */
export const followDisputeStandings = ({
  bus,
  db,
  clock,
  log,
}: ServiceContext): { stop: () => Promise<void> } =>
  consume(bus, {
    service: 'onboarding',
    durable: 'onboarding-disputes',
    batch: BATCH,
    db,
    clock,
    log,
    handle: async (events) => {
      for (const { event } of events)
        if (event.fact?.kind === 'dispute_standing')
          await keepDisputeStanding(db, event.fact.standing, clock.now())
    },
  })
