import { implement, newId, refuse, reply, type ServiceContext, type Implementation } from '@causeway/chassis'
import { onrampHolds } from '@causeway/contracts'
import { cancellationOf, presentTerms } from './domain.ts'
import { orderEvent } from '../crypto-orders/events.ts'
import { lockForHold, updateHold, type HeldOrder } from './store.ts'
import { findVisibleOrder } from '../crypto-orders/store.ts'

const laterOf = (at: Date, other: string | undefined): Date =>
  other === undefined || new Date(other) < at ? at : new Date(other)

type Named = Readonly<{ partner_id: string; order_id: string }>

/** `payments.onramp-holds`: crypto orders as the onramp service asks of them (decisions §13). */
export const onrampHoldOperations = (
  context: ServiceContext,
  options: { publicBaseUrl: string },
): Implementation[] => {
  const { db } = context

  /** Changes a pending order that this onramp order holds; one that is anything else stays as it is. */
  const change = (
    named: Named & Readonly<{ onramp_order_id: string }>,
    now: Date,
    changed: (order: HeldOrder) => HeldOrder,
  ) =>
    db.transaction(async (tx) => {
      const found = await lockForHold(tx, named.partner_id, named.order_id)
      if (!found) return refuse('resource_not_found')
      if (found.status !== 'pending' || found.onrampOrderId !== named.onramp_order_id)
        return reply({ order: presentTerms(found) })
      const order = changed(found)
      await updateHold(tx, order, now)
      return reply({ order: presentTerms(order) })
    })

  return implement(onrampHolds, {
    async getOrder({ body }) {
      const order = await findVisibleOrder(db, body.partner_id, body.order_id)
      return order ? reply({ order: presentTerms(order) }) : refuse('resource_not_found')
    },

    create: ({ body, now }) =>
      db.transaction(async (tx) => {
        const found = await lockForHold(tx, body.partner_id, body.order_id)
        if (!found?.partnerSees) return refuse('resource_not_found')
        if (found.status !== 'pending') return refuse('invalid_state', [{ from: found.status }])
        const order = { ...found, onrampOrderId: body.onramp_order_id }
        await updateHold(tx, order, now)
        return reply({ order: presentTerms(order) })
      }),

    extend: ({ body, now }) =>
      change(body, now, (order) => ({ ...order, expiresAt: new Date(body.expires_at) })),

    release: ({ body, now }) =>
      change(body, now, (order) => ({
        ...order,
        onrampOrderId: null,
        expiresAt: laterOf(order.expiresAt, body.keep_until),
      })),

    cancelOrder: ({ body, now }) =>
      db.transaction(async (tx) => {
        const found = await lockForHold(tx, body.partner_id, body.order_id)
        if (!found) return refuse('resource_not_found')
        if (found.status !== 'pending' || found.onrampOrderId !== body.onramp_order_id)
          return reply({ order: presentTerms(found) })
        const held = { ...found, status: 'cancelled' as const }
        await updateHold(tx, held, now)
        const { partnerSees, onrampOrderId: _, ...order } = held
        tx.emit(
          orderEvent({
            eventId: newId('event'),
            ...cancellationOf(body.cause, body.onramp_order_id),
            order,
            deposit: null,
            partnerSees,
            now,
            publicBaseUrl: options.publicBaseUrl,
          }),
        )
        return reply({ order: presentTerms(held) })
      }),
  })
}
