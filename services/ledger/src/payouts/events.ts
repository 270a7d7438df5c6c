import { newIdAt } from '@causeway/chassis'
import { EVENTS, merchantSummaryOf, type EventOf, type PayoutSummary } from '@causeway/contracts'
import type { PayoutRow } from './announced-store.ts'

type PayoutEventName = 'payout.upcoming' | 'payout.sent'

/** The event for the merchant; a payout has no integration, so it goes to wildcard registrations only. */
export const payoutEvent = (
  name: PayoutEventName,
  row: PayoutRow,
  summary: PayoutSummary,
  now: Date,
): EventOf<PayoutEventName> => {
  const event = EVENTS[name].merchant
  const order = {
    id: row.payoutId,
    amountCents: row.amountCents,
    currency: row.currency,
    status: row.status,
    scheduledFor: row.scheduledFor.toISOString(),
    createdAt: row.createdAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
  }
  const payout = {
    payoutId: row.payoutId,
    partnerCustomerId: row.ownerId,
    unit: row.currency,
    amountCents: row.amountCents,
    status: row.status,
    summary: merchantSummaryOf(summary),
  }
  return {
    id: newIdAt('event', now.getTime()),
    name,
    created_at: now.toISOString(),
    partners: [],
    merchant: {
      merchant_id: row.merchantId,
      integration_id: null,
      event,
      body: { event, order, payout },
    },
    fact: null,
  }
}
