import type { DomainEvent, MerchantEvent, PartnerEventType } from '@causeway/contracts'
import type { OpenFiatOrder } from './domain.ts'

/** The partner's types of a card order and their twins on the merchant channel (spec: Events). */
const TWINS = {
  'payment.pending': 'pending',
  'payment.confirmed': 'paid',
  'payment.expired': 'expired',
  'payment.cancelled': 'cancelled',
  'payment.refunded': 'refunded',
  'payment.chargeback': 'chargeback',
} as const satisfies Partial<Record<PartnerEventType, MerchantEvent>>

export type FiatOrderEventType = keyof typeof TWINS

/** What an event of a card order says. `order` is its state after the change. */
export type FiatOrderChange = Readonly<{
  eventId: string
  type: FiatOrderEventType
  order: OpenFiatOrder
  psp: string
  projectId: string | null
  noticeUrl: string
  /** False once the relationship is revoked: its partner gets no event any more (decisions §3). */
  partnerSees: boolean
  /** Fields of the processor's object beyond those that every event has. */
  processorFields?: Readonly<Record<string, unknown>>
  /** The fact for other services. */
  fact?: DomainEvent['fact']
  /** Further objects of the merchant's body, such as `risk`. */
  merchantExtras?: Readonly<Record<string, unknown>>
  now: Date
}>

/** The order as merchants see it, deliberately without the internal order key (spec: Merchant channel). */
export const merchantOrder = ({
  order,
  psp,
  noticeUrl,
}: Pick<FiatOrderChange, 'order' | 'psp' | 'noticeUrl'>) => ({
  id: order.id,
  integrationId: order.integrationId,
  kind: order.kind,
  amountCents: order.totalCents,
  subtotalCents: order.amountCents,
  serviceFeePayer: order.serviceFeePayer,
  serviceFeePercent: order.serviceFeePercent,
  serviceFeeCents: order.serviceFeeCents,
  currency: order.currency,
  status: order.status,
  psp,
  pspOrderId: order.processorOrderId,
  pspStatus: order.processorStatus,
  orderUrl: order.orderUrl,
  returnUrl: order.returnUrl,
  failureUrl: order.failureUrl,
  webhookUrl: noticeUrl,
  merchantReference: order.merchantReference,
  createdAt: order.createdAt.toISOString(),
  updatedAt: order.updatedAt?.toISOString() ?? null,
  completedAt: order.completedAt?.toISOString() ?? null,
})

const processorObject = ({ order, type, projectId, processorFields }: FiatOrderChange) => ({
  event: TWINS[type],
  project_id: projectId,
  order_id: order.processorOrderId,
  status: order.processorStatus,
  refunded_amount: order.refundedCents === 0 ? null : order.refundedCents,
  refund_of_order_id: null,
  related_payment_link_id: order.kind === 'payment_link' ? order.processorOrderId : null,
  ...processorFields,
})

/** The event of a change, for both channels (spec: Events). It carries no personal data to the partner. */
export const fiatOrderEvent = (change: FiatOrderChange): DomainEvent => {
  const { eventId, type, order } = change
  const notice = {
    partner_id: order.partnerId,
    partner_customer_id: order.partnerCustomerId,
    type,
    data: {
      partner_customer_id: order.partnerCustomerId,
      rail: 'fiat',
      order_id: order.id,
      order_key: String(order.orderKey),
      merchant_reference: order.merchantReference,
      status: order.status,
      currency: order.currency,
      total_cents: order.totalCents,
    },
  }
  return {
    id: eventId,
    name: type,
    created_at: change.now.toISOString(),
    partners: change.partnerSees ? [notice] : [],
    merchant: {
      merchant_id: order.merchantId,
      integration_id: order.integrationId,
      event: TWINS[type],
      body: {
        event: TWINS[type],
        order: merchantOrder(change),
        [order.processor]: processorObject(change),
        ...change.merchantExtras,
      },
    },
    fact: change.fact ?? null,
  }
}
