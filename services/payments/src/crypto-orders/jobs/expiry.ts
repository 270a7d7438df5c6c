import { newId, startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import { orderEvent } from '../events.ts'
import { expireOrders, lockDueOrders } from '../expiry-store.ts'

const BATCH = 200
const EVERY_MS = 500

/**
 * Expires pending orders whose time is over, with their events. Only a counted deposit keeps an order from expiring:
 * it makes the order underpaid or paid. What is merely seen on the chain may never be confirmed; when it is, it pays
 * the expired order late.
 */
export const startExpiry = ({ db, clock, log }: ServiceContext, options: { publicBaseUrl: string }): Loop => {
  const expireBatch = () =>
    db.transaction(async (tx) => {
      const now = clock.now()
      const due = await lockDueOrders(tx, now, BATCH)
      if (due.length === 0) return 0
      await expireOrders(tx, due, now)
      for (const { partnerSees, ...order } of due)
        tx.emit(
          orderEvent({
            eventId: newId('event'),
            type: 'payment.expired',
            order: { ...order, status: 'expired' },
            deposit: null,
            partnerSees,
            now,
            publicBaseUrl: options.publicBaseUrl,
          }),
        )
      return due.length
    })
  return startLoop({
    name: 'expiry',
    everyMs: EVERY_MS,
    restMs: 0,
    log,
    run: async (signal) => {
      while (!signal.aborted && (await expireBatch()) === BATCH);
    },
  })
}
