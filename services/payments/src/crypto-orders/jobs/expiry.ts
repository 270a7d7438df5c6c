import { newIdAt, startLoop, type ServiceContext, type Loop } from '@causeway/chassis'
import { orderEvent } from '../events.ts'
import type { OrderLinks } from '../order.ts'
import { expireOrders, lockDueOrders } from '../store.ts'

const BATCH = 200
const EVERY_MS = 500

type Options = Readonly<{ links: OrderLinks }>

/**
 * Expires a batch of pending orders that are past `expires_at`, and emits their events. Only a counted deposit keeps an
 * order from expiring: it makes the order underpaid or paid. A deposit that is seen but not confirmed may never be; if it
 * is, it pays the expired order late.
 * @returns whether there may be more
 */
export const createExpiry =
  ({ db, clock }: Pick<ServiceContext, 'db' | 'clock'>, options: Options) =>
  (): Promise<boolean> =>
    db.transaction(async (tx) => {
      const now = clock.now()
      const due = await lockDueOrders(tx, { now, limit: BATCH })
      if (due.length === 0) return false
      const orderIds = due.map((order) => order.id)
      await expireOrders(tx, { orderIds, partnerIds: due.map((order) => order.partnerId), now })
      for (const { partnerSees, ...order } of due)
        tx.emit(
          orderEvent({
            eventId: newIdAt('event', now.getTime()),
            type: 'payment.expired',
            order: { ...order, status: 'expired' },
            deposit: null,
            partnerSees,
            now,
            links: options.links,
          }),
        )
      return due.length === BATCH
    })

/** Expires orders, a batch at a time. */
export const startExpiry = (context: ServiceContext, options: Options): Loop => {
  const { db, clock } = context
  const expire = createExpiry(context, options)
  return startLoop({
    name: 'expiry',
    everyMs: EVERY_MS,
    restMs: 0,
    log: context.log,
    // A look without a transaction is one statement instead of three.
    run: async () => (await lockDueOrders(db, { now: clock.now(), limit: 1 })).length > 0 && expire(),
  })
}
