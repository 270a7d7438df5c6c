import { newIdAt, type Queryable } from '@causeway/chassis'
import { EVENTS, merchantSummaryOf, type EventOf } from '@causeway/contracts'
import type { PayoutRow } from './announced-store.ts'
import { readSummaries } from './summary.ts'

type PayoutEventName = 'payout.upcoming' | 'payout.sent'

/** The event for the merchant; a payout has no integration, so it goes to wildcard registrations only. */
export const payoutEvent = async (
  tx: Queryable,
  name: PayoutEventName,
  row: PayoutRow,
  now: Date,
): Promise<EventOf<PayoutEventName>> => {
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
  const summary = (await readSummaries(tx, [row])).get(row.payoutId)
  if (summary === undefined) throw new Error(`${row.payoutId} has no summary`)
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
