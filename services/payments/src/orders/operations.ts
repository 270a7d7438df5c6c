import {
  createCursors,
  implement,
  reply,
  type Db,
  type Implementation,
  type ServiceContext,
} from '@causeway/chassis'
import { MAX_FOUND_ORDERS, NETWORKS, orders, type FoundOrder, type OrderSearch } from '@causeway/contracts'
import type { CardProcessors } from '@causeway/rails/cards'
import { listOrders } from './list.ts'
import * as store from './store.ts'

const present = (row: store.FoundRow): FoundOrder => ({
  kind: row.kind,
  order_id: row.id,
  order_key: row.orderKey,
  reference: row.reference,
  status: row.status,
  amount: row.amount,
  currency: row.currency,
  partner_id: row.partnerId,
  partner_customer_id: row.partnerCustomerId,
  customer_id: row.merchantId,
  created_at: row.createdAt.toISOString(),
})

/** Orders of all partners by the one field that the contract requires. */
const find = (db: Db, search: OrderSearch, processors: readonly string[]): Promise<store.FoundRow[]> => {
  const limit = MAX_FOUND_ORDERS
  const { reference, address, tx_id: txId, processor_order_id: processorOrderId } = search
  const { partner_customer_id: partnerCustomerId } = search
  if (reference !== undefined) return store.listByReference(db, { reference, limit })
  if (address !== undefined) return store.listByAddress(db, { address, limit })
  if (txId !== undefined) return store.listByTransaction(db, { networks: NETWORKS, txId, limit })
  if (partnerCustomerId !== undefined) return store.listByCustomer(db, { partnerCustomerId, limit })
  if (processorOrderId === undefined) throw new Error('The search for orders has no criterion')
  return store.listByProcessorOrder(db, { processors, processorOrderId, limit })
}

/** `payments.orders`: what staff look for by something of an order (decisions §45). */
export const orderOperations = (
  { db, vault }: Pick<ServiceContext, 'db' | 'vault'>,
  { processors }: Readonly<{ processors: CardProcessors }>,
): Implementation[] => {
  const cursors = createCursors(vault)
  return implement(orders, {
    list: ({ query }) => listOrders({ db, cursors }, query),

    async search({ body }) {
      const rows = await find(db, body, [...processors.keys()])
      return reply({ orders: rows.map(present) })
    },
  })
}
