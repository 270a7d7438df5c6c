import {
  createCursors,
  keysetList,
  NEWEST_FIRST,
  refuse,
  reply,
  type ServiceContext,
} from '@causeway/chassis'
import { refuseUngranted } from '../relationships/eligibility.ts'
import type { Relationships } from '../relationships/relationships.ts'
import { presentRow, type OrderLinks } from './order.ts'
import { listOrders, type OrderPage } from './store.ts'

type ListRequest = Readonly<{
  partnerId: string
  partnerCustomerId: string
  limit: number
  before: string | null
}>

/**
 * The orders of a relationship, newest first. Needs the grant of `payments.crypto`, not its availability; a cursor is
 * given for a full page only (spec: Crypto orders).
 */
export const createOrderList = (
  { db, vault }: Pick<ServiceContext, 'db' | 'vault'>,
  options: { relationships: Relationships; links: OrderLinks },
) => {
  const cursors = createCursors(vault)

  /** Before a refusal the owner of the relationship is asked: the projection may lag behind. */
  const readPage = async (page: Parameters<typeof listOrders>[1]): Promise<OrderPage> => {
    const read = await listOrders(db, page)
    if (!refuseUngranted(read.eligibility)) return read
    const { partnerId, partnerCustomerId } = page
    const eligibility = await options.relationships.refresh(partnerId, partnerCustomerId, 'payments.crypto')
    return refuseUngranted(eligibility) ? { eligibility, orders: [] } : listOrders(db, page)
  }

  return async ({ partnerId, partnerCustomerId, limit, before }: ListRequest) => {
    const name = `orders:${partnerId}:${partnerCustomerId}`
    const list = keysetList(cursors, { name, order: NEWEST_FIRST })
    const from = list.after(before)
    if (from === null) return refuse('invalid_cursor')
    const page = { partnerId, partnerCustomerId, beforeAt: from.at, beforeId: from.id, limit }
    const { eligibility, orders } = await readPage(page)
    const refusal = refuseUngranted(eligibility)
    if (refusal) return refusal
    const { items, nextCursor } = list.page({
      rows: orders,
      limit,
      present: (order) => presentRow(order, options.links),
      positionOf: (order) => ({ at: order.createdAt, id: order.id }),
      continuesWhenFull: true,
    })
    return reply({ orders: items, next_cursor: nextCursor })
  }
}
