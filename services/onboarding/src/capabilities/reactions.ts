import { consume, type Db, type ServiceContext } from '@causeway/chassis'
import type { DisputeMeasure, DisputeThresholdStatus } from '@causeway/contracts'
import * as merchantStore from '../merchants/store.ts'
import { updateMerchant } from '../relationship-state/changes.ts'

const BATCH = 64

/**
 * An event that is repeated or late changes nothing: its version is not above the stored one, nor, within one version,
 * its measure later. A measure alone changes no capability, so nothing is emitted for it.
 */
const storeThresholdStatus = (db: Db, status: DisputeThresholdStatus, now: Date): Promise<void> =>
  db.transaction(async (tx) => {
    const { customer_id: merchantId, over_threshold: isAboveThreshold, version, measure } = status
    const stored = await merchantStore.lockDisputes(tx, { merchantId })
    if (!stored || stored.version > version) return
    const measureJson = measure === undefined ? null : JSON.stringify(measure)
    if (stored.version < version)
      await updateMerchant(tx, merchantId, now, () =>
        merchantStore.updateDisputes(tx, { merchantId, isAboveThreshold, version, measure: measureJson }),
      )
    else if (measure && measureJson && isLater(measure, stored.measure))
      await merchantStore.updateDisputeMeasure(tx, { merchantId, measure: measureJson })
  })

const isLater = (measure: DisputeMeasure, stored: DisputeMeasure | null): boolean =>
  stored === null || measure.measured_at > stored.measured_at

/** Makes the card capability of merchants above the chargeback threshold unavailable, and available again (decisions §4). */
export const consumeDisputeThresholdStatus = ({
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
          await storeThresholdStatus(db, event.fact.standing, clock.now())
    },
  })
