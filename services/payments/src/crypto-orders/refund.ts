import {
  newIdAt,
  refuse,
  reply,
  withBefore,
  type OperationRequest,
  type ServiceContext,
} from '@causeway/chassis'
import type { cryptoOrders, Refusal } from '@causeway/contracts'
import { isRecipient } from '@causeway/rails'
import { orderEvent } from './events.ts'
import { presentOrder, type OrderLinks, type OrderRecord } from './order.ts'
import { endRefundedMoney } from '../unattributed-money/store.ts'
import { lockOrderForRefund, recordOrderRefund } from './store.ts'

/** Refuses what is no address of the order's network, or is the order's own; null where money can be sent back to it. */
export const refuseRecipient = (
  { network, address }: OrderRecord,
  toAddress: string,
  { chains }: OrderLinks,
): Refusal<'invalid_request'> | null =>
  isRecipient(network, toAddress, chains) && toAddress.toLowerCase() !== address.toLowerCase()
    ? null
    : refuse('invalid_request', [
        {
          field: 'to_address',
          reason: 'invalid_value',
          expected: `an address of ${network} other than the order’s own`,
        },
      ])

/**
 * Records that staff have sent back what a cancelled order had received: without a signer the platform holds no key, so
 * the transfer itself is made elsewhere (decisions §9 and §14). A repeated call with the same address answers with the
 * record; with another address it is refused.
 */
export const createOrderRefund =
  ({ db }: Pick<ServiceContext, 'db'>, { links }: Readonly<{ links: OrderLinks }>) =>
  ({ params, body, now }: OperationRequest<(typeof cryptoOrders)['refund']>) =>
    db.transaction(async (tx) => {
      const toAddress = body.to_address
      const found = await lockOrderForRefund(tx, params)
      if (!found) return refuse('resource_not_found')
      const { partnerSees, refundAddress, refundedAt, ...order } = found
      const refusal = refuseRecipient(order, toAddress, links)
      if (refusal !== null) return refusal
      const shown = { order: presentOrder(order, links) }
      if (refundedAt !== null && refundAddress === toAddress) {
        const known = { ...shown, to_address: toAddress, refunded_at: refundedAt.toISOString() }
        return withBefore(reply(known), known)
      }
      if (order.status !== 'cancelled')
        return refuse('invalid_state', [{ from: order.status, to: 'refunded' }])
      const refunded = { ...order, status: 'refunded' as const }
      await recordOrderRefund(tx, { orderId: order.id, partnerId: order.partnerId, toAddress, now })
      await endRefundedMoney(tx, { orderId: order.id, until: now, txId: null, now })
      tx.emit(
        orderEvent({
          eventId: newIdAt('event', now.getTime()),
          type: 'payment.refunded',
          order: refunded,
          deposit: null,
          partnerSees,
          now,
          links,
        }),
      )
      return withBefore(
        reply({
          order: presentOrder(refunded, links),
          to_address: toAddress,
          refunded_at: now.toISOString(),
        }),
        shown,
      )
    })
