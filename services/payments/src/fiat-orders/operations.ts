import {
  createCursors,
  implement,
  keysetList,
  NEWEST_FIRST,
  refuse,
  reply,
  type ServiceContext,
  type Implementation,
} from '@causeway/chassis'
import { fiatOrders } from '@causeway/contracts'
import { cardProcessorOf } from '@causeway/rails/cards'
import { listIdsOfPartner } from '../order-lists/list.ts'
import { getRelationship } from '../relationships/store.ts'
import { createFiatOrderCreation, type FiatOrderOptions } from './creation.ts'
import { isOpen, presentFiatOrder, presentToBuyer, type FiatOrderRecord } from './domain.ts'
import * as store from './store.ts'

/** `payments.fiat-orders` (spec: Fiat order; decisions §10). */
export const fiatOrderOperations = (context: ServiceContext, options: FiatOrderOptions): Implementation[] => {
  const { db, vault } = context
  const { processors, publicBaseUrl } = options
  const cursors = createCursors(vault)
  /** Null for an order that its processor has not opened. */
  const present = (order: FiatOrderRecord) =>
    isOpen(order)
      ? presentFiatOrder(order, cardProcessorOf(processors, order.processor).traits.pspLabel, publicBaseUrl)
      : null

  return implement(fiatOrders, {
    create: createFiatOrderCreation(context, options),

    async get({ caller: { partnerId }, params: { orderKey } }) {
      const found = await store.getVisible(db, { partnerId, orderKey })
      const order = found && present(found)
      return order ? reply({ order }) : refuse('resource_not_found')
    },

    async list({ caller: { partnerId }, params: { customerId }, query: { limit, before } }) {
      const owner = { partnerId, partnerCustomerId: customerId }
      const list = keysetList(cursors, {
        name: `fiat-orders:${partnerId}:${customerId}`,
        order: NEWEST_FIRST,
      })
      const from = list.after(before)
      if (from === null) return refuse('invalid_cursor')
      if ((await options.relationships.merchantOf(partnerId, customerId)) === null)
        return refuse('resource_not_found')
      const [relationship, rows] = await Promise.all([
        getRelationship(db, owner),
        store.listPage(db, { ...owner, beforeAt: from.at, beforeId: from.id, limit }),
      ])
      if (relationship?.status !== 'active') return refuse('resource_not_found')
      const { items, nextCursor } = list.page({
        rows,
        limit,
        present,
        positionOf: (row) => ({ at: row.createdAt, id: row.id }),
        continuesWhenFull: true,
      })
      return reply({ orders: items.filter((order) => order !== null), next_cursor: nextCursor })
    },

    async listOfPartner({ caller: { partnerId }, query }) {
      const page = await listIdsOfPartner({ db, cursors }, { partnerId, kind: 'card' }, query)
      if (page === null) return refuse('invalid_cursor')
      const found = await store.listVisible(db, { partnerId, orderIds: page.ids })
      return reply({ orders: found.flatMap((order) => present(order) ?? []), next_cursor: page.next })
    },

    async getByStaff({ params: { orderKey } }) {
      const found = await store.findByKey(db, { orderKey })
      const order = found && present(found)
      if (!order || found.processorOrderId === null) return refuse('resource_not_found')
      return reply({
        order: {
          ...order,
          partner_id: found.partnerId,
          customer_id: found.merchantId,
          processor_order_id: found.processorOrderId,
          processor_status: found.processorStatus,
        },
      })
    },

    async getByBuyer({ params }) {
      const order = await store.findById(db, params)
      if (order === null || !isOpen(order)) return refuse('resource_not_found')
      return reply({ order: presentToBuyer(order), branded_by: order.partnerCustomerId })
    },
  })
}
