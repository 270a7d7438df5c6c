import {
  createCursors,
  implement,
  refuse,
  reply,
  type Db,
  type Implementation,
  type ServiceContext,
} from '@causeway/chassis'
import {
  MAX_FOUND_ORDERS,
  NETWORKS,
  orders,
  type FoundOrder,
  type MerchantOrder,
  type OrderSearch,
} from '@causeway/contracts'
import type { CardProcessors } from '@causeway/rails/cards'
import { listOrders, listOwnOrders, present as presentListed } from '../order-lists/list.ts'
import { listActiveRelationships, type ListedRow } from '../order-lists/store.ts'
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

const presentToMerchant = (row: ListedRow): MerchantOrder => ({
  kind: row.kind,
  orderId: row.id,
  orderKey: row.orderKey,
  reference: row.reference,
  status: row.status,
  amount: row.amount,
  currency: row.currency,
  network: row.network,
  asset: row.asset,
  partnerCustomerId: row.partnerCustomerId,
  createdAt: row.createdAt.toISOString(),
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

/** `payments.orders`: what staff, partners' people and merchants look for (decisions §45, §61). */
export const orderOperations = (
  { db, vault }: Pick<ServiceContext, 'db' | 'vault'>,
  { processors }: Readonly<{ processors: CardProcessors }>,
): Implementation[] => {
  const cursors = createCursors(vault)
  return implement(orders, {
    list: ({ query }) => listOrders({ db, cursors }, query),

    async listOfPartner({ params: { partnerId }, query }) {
      const page = await listOwnOrders({ db, cursors }, { kind: 'partner', partnerId }, query)
      if (page === null) return refuse('invalid_cursor')
      const partnerCustomerIds = [...new Set(page.rows.map((row) => row.partnerCustomerId))]
      const active = await listActiveRelationships(db, { partnerId, partnerCustomerIds })
      const visible = new Set(active.map((row) => row.partnerCustomerId))
      const rows = page.rows.filter((row) => visible.has(row.partnerCustomerId))
      return reply({ orders: rows.map(presentListed), next_cursor: page.next })
    },

    async listByMerchant({ caller: { merchantId }, query: { before: cursor, ...query } }) {
      const page = await listOwnOrders(
        { db, cursors },
        { kind: 'merchant', merchantId },
        { ...query, cursor },
      )
      if (page === null) return refuse('invalid_cursor')
      return reply({ orders: page.rows.map(presentToMerchant), nextCursor: page.next })
    },

    async search({ body }) {
      const rows = await find(db, body, [...processors.keys()])
      return reply({ orders: rows.map(present) })
    },
  })
}
