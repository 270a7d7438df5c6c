import {
  EVENTS,
  type CardProcessorFields,
  type EventOf,
  type LedgerFact,
  type MerchantBody,
} from '@causeway/contracts'
import type { OpenFiatOrder } from './domain.ts'

/** The events of a card order (spec: Events). */
export type FiatOrderEventType =
  | 'payment.pending'
  | 'payment.confirmed'
  | 'payment.expired'
  | 'payment.cancelled'
  | 'payment.refunded'
  | 'payment.chargeback'

/** The input of a card order's event. `order` is its state after the change. */
export type FiatOrderChange = Readonly<{
  eventId: string
  type: FiatOrderEventType
  order: OpenFiatOrder
  psp: string
  projectId: string | null
  noticeUrl: string
  /** False once the relationship is revoked: its partner receives no more events (decisions §3). */
  partnerSees: boolean
  /** Fields of the processor's object beyond those that every event has. */
  processorFields?: Readonly<Partial<CardProcessorFields>>
  /** The fact for other services. */
  fact?: EventOf<FiatOrderEventType>['fact']
  /** Movements of money for the ledger. */
  ledgerFacts?: LedgerFact[]
  /** For a chargeback: the payer's IP address, as the merchant sees it. */
  risk?: Readonly<{ ip: string | null; ipMasked: string | null }>
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

const processorObject = ({
  order,
  type,
  projectId,
  processorFields,
}: FiatOrderChange): CardProcessorFields => ({
  event: EVENTS[type].merchant,
  project_id: projectId,
  order_id: order.processorOrderId,
  status: order.processorStatus,
  refunded_amount: order.refundedCents === 0 ? null : order.refundedCents,
  refund_of_order_id: null,
  related_payment_link_id: order.kind === 'payment_link' ? order.processorOrderId : null,
  ...processorFields,
})

const merchantBody = (change: FiatOrderChange): MerchantBody<FiatOrderEventType> => {
  const { type, order, risk = { ip: null, ipMasked: null } } = change
  const body = { order: merchantOrder(change), [order.processor]: processorObject(change) }
  return type === 'payment.chargeback'
    ? { event: 'chargeback', ...body, risk }
    : { event: EVENTS[type].merchant, ...body }
}

/** The event of a change, for both channels (spec: Events). It carries no personal data to the partner. */
export const fiatOrderEvent = (change: FiatOrderChange): EventOf<FiatOrderEventType> => {
  const { eventId, type, order, ledgerFacts = [] } = change
  const notice = {
    partner_id: order.partnerId,
    partner_customer_id: order.partnerCustomerId,
    type,
    data: {
      partner_customer_id: order.partnerCustomerId,
      rail: 'fiat' as const,
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
      event: EVENTS[type].merchant,
      body: merchantBody(change),
    },
    fact: change.fact ?? null,
    ...(ledgerFacts.length > 0 && { ledger_facts: ledgerFacts }),
  }
}
