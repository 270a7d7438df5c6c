import {
  implement,
  newIdAt,
  refuse,
  reply,
  type Implementation,
  type ServiceContext,
  type Transaction,
} from '@causeway/chassis'
import { onrampHolds } from '@causeway/contracts'
import { orderEvent } from '../crypto-orders/events.ts'
import type { OrderLinks } from '../crypto-orders/order.ts'
import { findPublicOrder, findVisibleOrder } from '../crypto-orders/store.ts'
import { cancellationOf, presentTerms } from './domain.ts'
import { lockOrderForHold, updateHold, type HeldOrder } from './store.ts'

/** A time within the bounds that are given. */
const within = (at: Date, notBefore: string | undefined, notAfter: string | undefined): Date => {
  const early = notAfter === undefined ? at : new Date(Math.min(at.getTime(), Date.parse(notAfter)))
  return notBefore === undefined ? early : new Date(Math.max(early.getTime(), Date.parse(notBefore)))
}

type Hold = Readonly<{ partner_id: string; order_id: string; onramp_order_id: string }>
const keyOf = ({ partner_id: partnerId, order_id: orderId }: Pick<Hold, 'partner_id' | 'order_id'>) => ({
  partnerId,
  orderId,
})

type Release = Readonly<{ keep_until?: string | undefined; expires_at?: string | undefined }>
const released =
  ({ keep_until, expires_at }: Release) =>
  (order: HeldOrder): HeldOrder => ({
    ...order,
    onrampOrderId: null,
    expiresAt: within(order.expiresAt, keep_until, expires_at),
  })

/** An onramp order that has ended holds nothing, an order that is underpaid meanwhile included. */
const freeUnderpaid = async (tx: Transaction, found: HeldOrder, hold: Hold, now: Date): Promise<void> => {
  if (found.status === 'underpaid' && found.onrampOrderId === hold.onramp_order_id)
    await updateHold(tx, { ...found, onrampOrderId: null, now })
}

const leave: typeof freeUnderpaid = () => Promise.resolve()

/** `payments.onramp-holds`: crypto orders as the onramp service uses them (decisions §13). */
export const onrampHoldOperations = (
  context: ServiceContext,
  options: { links: OrderLinks },
): Implementation[] => {
  const { db } = context

  /** Changes a pending order that this onramp order holds; any other order stays as it is. */
  const update = (hold: Hold, now: Date, change: (order: HeldOrder) => HeldOrder, otherwise = leave) =>
    db.transaction(async (tx) => {
      const found = await lockOrderForHold(tx, keyOf(hold))
      if (!found) return refuse('resource_not_found')
      if (found.status !== 'pending' || found.onrampOrderId !== hold.onramp_order_id) {
        await otherwise(tx, found, hold, now)
        return reply({ order: presentTerms(found) })
      }
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

    release: ({ body, now }) => update(body, now, released(body), freeUnderpaid),

    cancelOrder: ({ body, now }) =>
      db.transaction(async (tx) => {
        const found = await lockOrderForHold(tx, keyOf(body))
        if (!found) return refuse('resource_not_found')
        if (found.status !== 'pending' || found.onrampOrderId !== body.onramp_order_id) {
          await freeUnderpaid(tx, found, body, now)
          return reply({ order: presentTerms(found) })
        }
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
