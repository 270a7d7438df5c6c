import {
  newId,
  refuse,
  reply,
  withBefore,
  type ServiceContext,
  type OperationRequest,
} from '@causeway/chassis'
import type { cryptoOrders } from '@causeway/contracts'
import { isRecipient } from '@causeway/rails'
import { orderEvent } from './events.ts'
import { presentOrder, type OrderRecord } from './order.ts'
import { lockForRefund, recordOrderRefund } from './refund-store.ts'

/** Of the order's network, and not where the order itself is paid. */
const isRefundable = ({ network, address }: OrderRecord, toAddress: string): boolean =>
  isRecipient(network, toAddress) && toAddress.toLowerCase() !== address.toLowerCase()

/**
 * Records that staff have sent back what a cancelled order had received: the platform holds no key, so the transfer
 * itself is made elsewhere (decisions §9 and §14). Once: the same address again reads the record, another one is refused.
 */
export const createOrderRefund =
  ({ db }: Pick<ServiceContext, 'db'>, { publicBaseUrl }: Readonly<{ publicBaseUrl: string }>) =>
  ({ params, body, now }: OperationRequest<(typeof cryptoOrders)['refund']>) =>
    db.transaction(async (tx) => {
      const toAddress = body.to_address
      const found = await lockForRefund(tx, params.orderId)
      if (!found) return refuse('resource_not_found')
      const { partnerSees, refundAddress, refundedAt, ...order } = found
      if (!isRefundable(order, toAddress))
        return refuse('invalid_request', [{ field: 'to_address', reason: 'invalid_value' }])
      const shown = { order: presentOrder(order, publicBaseUrl) }
      if (refundedAt !== null && refundAddress === toAddress) {
        const known = { ...shown, to_address: toAddress, refunded_at: refundedAt.toISOString() }
        return withBefore(reply(known), known)
      }
      if (order.status !== 'cancelled')
        return refuse('invalid_state', [{ from: order.status, to: 'refunded' }])
      const refunded = { ...order, status: 'refunded' as const }
      await recordOrderRefund(tx, found, { toAddress, now })
      const told = { eventId: newId('event'), type: 'payment.refunded', deposit: null } as const
      tx.emit(orderEvent({ ...told, order: refunded, partnerSees, now, publicBaseUrl }))
      return withBefore(
        reply({
          order: presentOrder(refunded, publicBaseUrl),
          to_address: toAddress,
          refunded_at: now.toISOString(),
        }),
        shown,
      )
    })
