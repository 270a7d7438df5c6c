import type { Stripe } from 'stripe'
import type { CheckoutRequest } from '../adapter.ts'
import { toStripeAmount } from './amounts.ts'

/**
 * @param fallbackUrl return address for integrations without one
 * @throws RailError `refused` for an amount that Stripe cannot charge
 */
export const toSession = (
  request: CheckoutRequest,
  fallbackUrl: string,
): Stripe.Checkout.SessionCreateParams => {
  const metadata = { order_id: request.orderId, order_key: request.orderKey, kind: request.kind }
  return {
    mode: 'payment',
    allowed_payment_method_types: ['card'],
    client_reference_id: request.orderId,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: request.currency.toLowerCase(),
          unit_amount: toStripeAmount(request.totalCents, request.currency),
          product_data: { name: request.description },
        },
      },
    ],
    metadata,
    // Refunds and disputes point to the payment, not to the checkout.
    payment_intent_data: { metadata, description: request.description },
    success_url: request.returnUrl ?? fallbackUrl,
    cancel_url: request.failureUrl ?? request.returnUrl ?? fallbackUrl,
    ...(request.payerEmail !== null && { customer_email: request.payerEmail }),
  }
}
