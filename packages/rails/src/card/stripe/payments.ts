import type { Stripe } from 'stripe'
import { RailError } from '../../rail-error.ts'
import type { CardDispute, CardPayment, CardPaymentStatus, CardRefund, CardRefundStatus } from '../payment.ts'
import { fromStripeAmount } from './amounts.ts'

/** Stripe: the Refund object, `status`. */
const REFUND_STATUSES: Readonly<Record<string, CardRefundStatus>> = {
  pending: 'pending',
  requires_action: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
}

const currencyOf = (stripeCurrency: string): string => stripeCurrency.toUpperCase()
const timeOf = (seconds: number): Date => new Date(seconds * 1_000)

/** An expanded object; null for an id alone or nothing. */
export const expanded = <T extends object>(field: string | T | null | undefined): T | null =>
  typeof field === 'object' ? field : null

export const idOf = (field: string | { id: string } | null | undefined): string | null =>
  typeof field === 'string' ? field : (field?.id ?? null)

/** @param orderKey the payment's, if it is known already */
export const toRefund = (refund: Stripe.Refund, orderKey?: string): CardRefund => {
  const status = REFUND_STATUSES[refund.status ?? '']
  if (status === undefined) throw new RailError('malformed', 'a refund with an unknown status')
  return {
    processorRefundId: refund.id,
    refundId: refund.metadata?.['refund_id'] ?? null,
    orderKey: orderKey ?? expanded(refund.payment_intent)?.metadata['order_key'] ?? null,
    amountCents: fromStripeAmount(refund.amount, refund.currency),
    currency: currencyOf(refund.currency),
    status,
    createdAt: timeOf(refund.created),
  }
}

/** Inquiries (`warning_…`) and prevented disputes move no money: they are not chargebacks (Stripe: Dispute status). */
export const isChargeback = ({ status }: Stripe.Dispute): boolean =>
  !status.startsWith('warning_') && status !== 'prevented'

const toDispute = (dispute: Stripe.Dispute): CardDispute => {
  // What was deducted from the balance, with the fee, in the settlement currency.
  const [withdrawn] = dispute.balance_transactions
  return {
    disputeId: dispute.id,
    disputedAt: timeOf(dispute.created),
    amountCents: fromStripeAmount(dispute.amount, dispute.currency),
    currency: currencyOf(dispute.currency),
    feeCents: withdrawn === undefined ? null : fromStripeAmount(withdrawn.fee, withdrawn.currency),
    feeCurrency: withdrawn === undefined ? null : currencyOf(withdrawn.currency),
    reason: dispute.reason,
  }
}

/**
 * Stripe: fulfilment of Checkout Sessions. A session that is complete but unpaid waits for a delayed payment method.
 * When that fails, its PaymentIntent requires another payment method, and the session will never be paid.
 */
const statusOf = (session: Stripe.Checkout.Session): CardPaymentStatus => {
  const intent = expanded(session.payment_intent)
  if (session.payment_status === 'paid') return 'completed'
  if (session.status === 'expired') return 'expired'
  if (intent?.status === 'canceled') return 'cancelled'
  if (session.status === 'complete')
    return intent?.status === 'requires_payment_method' ? 'cancelled' : 'processing'
  return intent?.status === 'processing' ? 'processing' : 'new'
}

export const toPayment = (
  session: Stripe.Checkout.Session,
  refunds: readonly Stripe.Refund[],
  disputes: readonly Stripe.Dispute[],
): CardPayment => {
  const { currency, amount_total: total } = session
  const orderKey = session.metadata?.['order_key']
  if (currency === null || total === null || orderKey === undefined)
    throw new RailError('malformed', 'a checkout without an amount or order')
  const made = refunds.map((refund) => toRefund(refund, orderKey))
  const intent = expanded(session.payment_intent)
  const paidCurrency = intent?.currency ?? currency
  return {
    processorOrderId: session.id,
    orderKey,
    status: statusOf(session),
    processorStatus: `${session.status ?? 'none'}/${session.payment_status}`,
    currency: currencyOf(paidCurrency),
    totalCents: fromStripeAmount(total, currency),
    paidCents: fromStripeAmount(intent?.amount_received ?? 0, paidCurrency),
    refundedCents: made
      .filter(({ status }) => status !== 'failed')
      .reduce((sum, { amountCents }) => sum + amountCents, 0),
    refunds: made,
    disputes: disputes.filter(isChargeback).map(toDispute),
    payer: {
      ip:
        disputes.find(({ evidence }) => evidence.customer_purchase_ip !== null)?.evidence
          .customer_purchase_ip ?? null,
      email: session.customer_details?.email ?? session.customer_email,
    },
  }
}
