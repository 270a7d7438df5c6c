import { createCursors, refuse, reply, type ServiceContext } from '@causeway/chassis'
import { refuseUngranted } from '../relationships/eligibility.ts'
import { presentRow } from './order.ts'
import { pageOfOrders, type OrderPage } from './store.ts'
import { createOrderCursors } from '../relationships/list-cursors.ts'
import type { Relationships } from '../relationships/relationships.ts'

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
  options: { relationships: Relationships; publicBaseUrl: string },
) => {
  const cursors = createOrderCursors(createCursors(vault))

  /** A list that would be refused by the projection is judged by the relationship's owner. */
  const pageOf = async (list: Parameters<typeof pageOfOrders>[1]): Promise<OrderPage> => {
    const page = await pageOfOrders(db, list)
    if (!refuseUngranted(page.standing)) return page
    const { partnerId, partnerCustomerId } = list
    const standing = await options.relationships.refresh(partnerId, partnerCustomerId, 'payments.crypto')
    return refuseUngranted(standing) ? { standing, orders: [] } : pageOfOrders(db, list)
  }

  return async (request: ListRequest) => {
    const before = request.before === null ? null : cursors.decode(request, request.before)
    if (before === undefined) return refuse('invalid_cursor')
    const { standing, orders } = await pageOf({ ...request, before })
    const refusal = refuseUngranted(standing)
    if (refusal) return refusal
    const last = orders.length === request.limit ? orders.at(-1) : undefined
    return reply({
      orders: orders.map((order) => presentRow(order, options.publicBaseUrl)),
      next_cursor: last ? cursors.encode(request, last) : null,
    })
  }
}
