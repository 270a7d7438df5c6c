import {
  implement,
  newIdAt,
  refuse,
  reply,
  type Implementation,
  type ServiceContext,
} from '@causeway/chassis'
import { onrampHolds } from '@causeway/contracts'
import { orderEvent } from '../crypto-orders/events.ts'
import type { OrderLinks } from '../crypto-orders/order.ts'
import { findPublicOrder, findVisibleOrder } from '../crypto-orders/store.ts'
import { cancellationOf, presentTerms } from './domain.ts'
import { lockOrderForHold, updateHold, type HeldOrder } from './store.ts'

const laterOf = (at: Date, other: string | undefined): Date =>
  other === undefined || new Date(other) < at ? at : new Date(other)

type Hold = Readonly<{ partner_id: string; order_id: string; onramp_order_id: string }>
const keyOf = ({ partner_id: partnerId, order_id: orderId }: Pick<Hold, 'partner_id' | 'order_id'>) => ({
  partnerId,
  orderId,
})

/** `payments.onramp-holds`: crypto orders as the onramp service uses them (decisions §13). */
export const onrampHoldOperations = (
  context: ServiceContext,
  options: { links: OrderLinks },
): Implementation[] => {
  const { db } = context

  /** Changes a pending order that this onramp order holds; any other order stays as it is. */
  const update = (hold: Hold, now: Date, change: (order: HeldOrder) => HeldOrder) =>
    db.transaction(async (tx) => {
      const found = await lockOrderForHold(tx, keyOf(hold))
      if (!found) return refuse('resource_not_found')
      if (found.status !== 'pending' || found.onrampOrderId !== hold.onramp_order_id)
        return reply({ order: presentTerms(found) })
      const order = change(found)
      await updateHold(tx, { ...order, now })
      return reply({ order: presentTerms(order) })
    })

  return implement(onrampHolds, {
    async getOrder({ body }) {
      const order = await findVisibleOrder(db, keyOf(body))
      return order ? reply({ order: presentTerms(order) }) : refuse('resource_not_found')
    },

    async getOrderByBuyer({ body }) {
      const order = await findPublicOrder(db, { orderId: body.order_id })
      return order ? reply({ order: presentTerms(order) }) : refuse('resource_not_found')
    },

    /**
     * Never takes a hold over. A call that is late asks for a purchase that was given up, whose hold nobody would release
     * before the newer one's; it is free once the due steps of the onramp service have released it, within 30 s.
     */
    create: ({ body, now }) =>
      db.transaction(async (tx) => {
        const found = await lockOrderForHold(tx, keyOf(body))
        if (!found?.partnerSees) return refuse('resource_not_found')
        if (found.status !== 'pending') return refuse('invalid_state', [{ from: found.status }])
        if (found.onrampOrderId !== null && found.onrampOrderId !== body.onramp_order_id)
          return refuse('temporarily_unavailable')
        const order = { ...found, onrampOrderId: body.onramp_order_id }
        await updateHold(tx, { ...order, now })
        return reply({ order: presentTerms(order) })
      }),

    extend: ({ body, now }) =>
      update(body, now, (order) => ({ ...order, expiresAt: new Date(body.expires_at) })),

    release: ({ body, now }) =>
      update(body, now, (order) => ({
        ...order,
        onrampOrderId: null,
        expiresAt: laterOf(order.expiresAt, body.keep_until),
      })),

    cancelOrder: ({ body, now }) =>
      db.transaction(async (tx) => {
        const found = await lockOrderForHold(tx, keyOf(body))
        if (!found) return refuse('resource_not_found')
        if (found.status !== 'pending' || found.onrampOrderId !== body.onramp_order_id)
          return reply({ order: presentTerms(found) })
        const cancelled = { ...found, status: 'cancelled' as const }
        await updateHold(tx, { ...cancelled, now })
        const { partnerSees, onrampOrderId: _, ...order } = cancelled
        tx.emit(
          orderEvent({
            eventId: newIdAt('event', now.getTime()),
            ...cancellationOf(body.cause, body.onramp_order_id),
            order,
            deposit: null,
            partnerSees,
            now,
            links: options.links,
          }),
        )
        return reply({ order: presentTerms(cancelled) })
      }),
  })
}
