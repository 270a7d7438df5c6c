import { newIdAt } from '@causeway/chassis'
import { EVENTS, type EventOf, type PayoutStatus, type PayoutSummary } from '@causeway/contracts'
import {
  presentAmountToMerchant,
  presentCustomerPayout,
  presentInEvent,
  type MerchantPayoutRow,
} from './present.ts'

type MerchantPayoutEvent = 'payout.upcoming' | 'payout.sent' | 'payout.returned'
export type PayoutEventName = MerchantPayoutEvent | 'payout.settled'

/** A payout, its summary, and the partner that may read it; null: none. */
export type Told = Readonly<{ row: MerchantPayoutRow; summary: PayoutSummary; partnerId: string | null }>

const partnersOf = (name: PayoutEventName, { row, summary, partnerId }: Told) =>
  partnerId === null
    ? []
    : [
        {
          partner_id: partnerId,
          partner_customer_id: row.ownerId,
          type: name,
          data: presentCustomerPayout(row, summary),
        },
      ]

const orderOf = <S extends PayoutStatus>(row: MerchantPayoutRow, status: S) => ({
  id: row.payoutId,
  ...presentAmountToMerchant(row),
  ...(row.unit.includes('/') ? { unit: row.unit } : { currency: row.unit }),
  status,
  scheduledFor: row.scheduledFor.toISOString(),
  createdAt: row.createdAt.toISOString(),
  sentAt: row.sentAt?.toISOString() ?? null,
})

/** A payout has no integration, so its event goes to wildcard registrations only. */
const merchantPart = (name: MerchantPayoutEvent, { row, summary }: Told) => {
  const to = { merchant_id: row.merchantId, integration_id: null }
  const payout = presentInEvent(row, summary)
  if (name === 'payout.returned') {
    const event = EVENTS[name].merchant
    return { ...to, event, body: { event, order: orderOf(row, 'returned'), payout } }
  }
  const event = EVENTS[name].merchant
  const status = name === 'payout.sent' ? 'sent' : 'upcoming'
  return { ...to, event, body: { event, order: orderOf(row, status), payout } }
}

/** The event of a payout's step, for its merchant and its partner. */
export const payoutEvent = (name: PayoutEventName, told: Told, now: Date): EventOf<PayoutEventName> => ({
  id: newIdAt('event', now.getTime()),
  name,
  created_at: now.toISOString(),
  partners: partnersOf(name, told),
  merchant: name === 'payout.settled' ? null : merchantPart(name, told),
  fact: null,
})
