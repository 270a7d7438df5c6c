import { startLoop, type Loop, type ServiceContext } from '@causeway/chassis'
import { recordSplits } from '../record-splits.ts'
import { openAccounts } from '../settle-deposits.ts'
import { lockUnsplitOrders } from '../store.ts'

const BATCH = 100
const EVERY_MS = 5_000

/**
 * Splits the deposits of a batch of orders that an older version has counted: it may still run, or have run before
 * deposits were split (decisions §52).
 * @returns whether there may be more
 */
export const createSplitting =
  ({ db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>) =>
  (): Promise<boolean> =>
    db.transaction(async (tx) => {
      const orders = await lockUnsplitOrders(tx, { limit: BATCH })
      if (orders.length === 0) return false
      const accounts = await openAccounts(tx, orders)
      await recordSplits(tx, log, accounts.values(), accounts, clock.now())
      return true
    })

/** Splits what older versions have counted, a batch at a time. */
export const startSplitting = (context: ServiceContext): Loop =>
  startLoop({
    name: 'deposit-splitting',
    everyMs: EVERY_MS,
    restMs: 0,
    log: context.log,
    run: createSplitting(context),
  })
