import type { Transaction } from '@causeway/chassis'
import { towardsOrder } from './allocation.ts'
import { openAccounts } from './settle-deposits.ts'
import { lockOrder, updateSettledOrders } from './store.ts'

/**
 * Writes what an order has received after staff have decided on money of it, or a decision was taken back: what was sent
 * back or kept is none of it (decisions §52).
 * @param orderId null: unknown money, which is no order's
 */
export const restateReceived = async (tx: Transaction, orderId: string | null, now: Date): Promise<void> => {
  const order = orderId === null ? null : await lockOrder(tx, { orderId })
  const account = order && (await openAccounts(tx, [order])).get(order.id)
  if (!order || !account) return
  const received = towardsOrder(order, account.deposits.values())
  if (received !== order.received) await updateSettledOrders(tx, [{ ...order, received }], now)
}
