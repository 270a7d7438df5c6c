import {
  createCursors,
  implement,
  refuse,
  reply,
  type ServiceContext,
  type Implementation,
} from '@causeway/chassis'
import { fiatOrders } from '@causeway/contracts'
import { cardProcessorOf } from '@causeway/rails'
import { createOrderCursors } from '../relationships/list-cursors.ts'
import { getRelationship } from '../relationships/store.ts'
import { createFiatOrderCreation, type FiatOrderOptions } from './creation.ts'
import { isOpen, presentFiatOrder, type FiatOrderRecord } from './domain.ts'
import * as store from './store.ts'

/** Cursor before every order: the first page begins here. */
const NEWEST = { createdAt: new Date('9999-12-31T00:00:00Z'), id: '' }

/** `payments.fiat-orders` (spec: Fiat order; decisions §10). */
export const fiatOrderOperations = (context: ServiceContext, options: FiatOrderOptions): Implementation[] => {
  const { db, vault } = context
  const cursors = createOrderCursors(createCursors(vault), 'fiat-orders')
  const present = (rows: readonly FiatOrderRecord[]) =>
    rows
      .filter(isOpen)
      .map((order) =>
        presentFiatOrder(order, cardProcessorOf(options.processors, order.processor).traits.pspLabel),
      )

  return implement(fiatOrders, {
    create: createFiatOrderCreation(context, options),

    async get({ caller: { partnerId }, params: { orderKey } }) {
      const found = await store.getVisible(db, { partnerId, orderKey })
      const [order] = present(found ? [found] : [])
      return order ? reply({ order }) : refuse('resource_not_found')
    },

    async list({ caller: { partnerId }, params: { customerId }, query: { limit, before } }) {
      const list = { partnerId, partnerCustomerId: customerId }
      const from = before === null ? NEWEST : cursors.decode(list, before)
      if (from === undefined) return refuse('invalid_cursor')
      if ((await options.relationships.merchantOf(partnerId, customerId)) === null)
        return refuse('resource_not_found')
      const [relationship, rows] = await Promise.all([
        getRelationship(db, list),
        store.listPage(db, { ...list, ...from, limit }),
      ])
      if (relationship?.status !== 'active') return refuse('resource_not_found')
      const last = rows.length === limit ? rows.at(-1) : undefined
      return reply({ orders: present(rows), next_cursor: last ? cursors.encode(list, last) : null })
    },
  })
}
