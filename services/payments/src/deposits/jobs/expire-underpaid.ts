import { newIdAt, startLoop, type Loop, type ServiceContext } from '@causeway/chassis'
import { orderEvent } from '../../crypto-orders/events.ts'
import type { OrderLinks } from '../../crypto-orders/order.ts'
import { recordSplits } from '../record-splits.ts'
import { openAccounts } from '../settle-deposits.ts'
import { lockUnderpaidOrders, updateSettledOrders } from '../store.ts'

const BATCH = 100
const EVERY_MS = 1_000

type Options = Readonly<{ links: OrderLinks; underpaidAfterMs: number }>

/**
 * Expires a batch of underpaid orders some time after the end of their rate, and emits their events: what arrived becomes
 * late money, which staff refund or apply (decisions §52).
 * @returns whether there may be more
 */
export const createUnderpaidExpiry =
  ({ db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>, { links, underpaidAfterMs }: Options) =>
  (): Promise<boolean> =>
    db.transaction(async (tx) => {
      const now = clock.now()
      const before = new Date(now.getTime() - underpaidAfterMs)
      const due = await lockUnderpaidOrders(tx, { before, limit: BATCH })
      if (due.length === 0) return false
      const opened = await openAccounts(tx, due)
      const accounts = [...opened.values()].map(({ order, deposits }) => ({
        order: { ...order, status: 'expired' as const },
        deposits,
      }))
      const orders = accounts.map(({ order }) => order)
      await updateSettledOrders(tx, orders, now)
      for (const { partnerSees, ...order } of orders)
        tx.emit(
          orderEvent({
            eventId: newIdAt('event', now.getTime()),
            type: 'payment.expired',
            order,
            deposit: null,
            partnerSees,
            now,
            links,
          }),
        )
      await recordSplits(tx, log, accounts, opened, now)
      return due.length === BATCH
    })

/** Expires underpaid orders, a batch at a time. */
export const startUnderpaidExpiry = (context: ServiceContext, options: Options): Loop => {
  const { db, clock } = context
  const expire = createUnderpaidExpiry(context, options)
  /** A look without a transaction: one statement instead of three. */
  const hasDue = async () => {
    const before = new Date(clock.nowMs() - options.underpaidAfterMs)
    return (await lockUnderpaidOrders(db, { before, limit: 1 })).length > 0
  }
  return startLoop({
    name: 'underpaid-expiry',
    everyMs: EVERY_MS,
    restMs: 0,
    log: context.log,
    run: async () => (await hasDue()) && expire(),
  })
}
