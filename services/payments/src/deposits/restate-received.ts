import type { Transaction } from '@causeway/chassis'
import { towardsOrder } from './allocation.ts'
import { openAccounts } from './settle-deposits.ts'
import { lockOrder, updateSettledOrders } from './store.ts'

/**
 * Writes what an order has received after staff have decided on its money, or a refund has failed. It leaves out what was
 * sent back or kept (decisions §52).
 * @param orderId null: unknown money, which belongs to no order
 */
export const restateReceived = async (tx: Transaction, orderId: string | null, now: Date): Promise<void> => {
  const order = orderId === null ? null : await lockOrder(tx, { orderId })
  const account = order && (await openAccounts(tx, [order])).get(order.id)
  if (!order || !account) return
  const received = towardsOrder(order, account.deposits.values())
  if (received !== order.received) await updateSettledOrders(tx, [{ ...order, received }], now)
}
