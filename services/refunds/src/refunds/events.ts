import type { EventOf } from '@causeway/contracts'
import type { ValidatedRefund } from './refund.ts'

/** Fields of a refund in the event: its owners, without amounts or personal data. */
type CompletedRefund = Pick<
  ValidatedRefund,
  'id' | 'partnerId' | 'partnerCustomerId' | 'orderId' | 'orderKey'
>

/**
 * `refund.completed` (spec: Partner channel): keyed on the refund, once per refund. Its merchant twin is the
 * `refunded` that payments emits with `payment.refunded`.
 * @param partnerSees false once the relationship is revoked: its partner receives no more events (decisions §3)
 */
export const refundCompleted = (
  refund: CompletedRefund,
  emission: Readonly<{ eventId: string; partnerSees: boolean; now: Date }>,
): EventOf<'refund.completed'> => ({
  id: emission.eventId,
  name: 'refund.completed',
  created_at: emission.now.toISOString(),
  partners: emission.partnerSees
    ? [
        {
          partner_id: refund.partnerId,
          partner_customer_id: refund.partnerCustomerId,
          type: 'refund.completed',
          data: {
            partner_customer_id: refund.partnerCustomerId,
            refund_id: refund.id,
            order_id: refund.orderId,
            order_key: refund.orderKey,
            status: 'succeeded',
          },
        },
      ]
    : [],
  merchant: null,
  fact: null,
})
