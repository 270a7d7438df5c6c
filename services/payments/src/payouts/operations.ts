import {
  implement,
  newId,
  refuse,
  reply,
  withBefore,
  type ServiceContext,
  type Implementation,
} from '@causeway/chassis'
import { payouts, type DomainEvent, type Payout } from '@causeway/contracts'
import * as store from './store.ts'

const present = (row: store.PayoutRow): Payout => ({
  payout_id: row.id,
  customer_id: row.merchantId,
  amount_cents: row.amountCents,
  currency: row.currency,
  status: row.status,
  scheduled_for: row.scheduledFor.toISOString(),
  created_at: row.createdAt.toISOString(),
  sent_at: row.sentAt?.toISOString() ?? null,
})

/** The event for the merchant; a payout has no integration, so it goes to wildcard registrations only. */
const payoutEvent = (
  row: store.PayoutRow,
  event: 'payout_upcoming' | 'payout_sent',
  now: Date,
): DomainEvent => ({
  id: newId('event'),
  name: row.status === 'sent' ? 'payout.sent' : 'payout.upcoming',
  created_at: now.toISOString(),
  partners: [],
  merchant: {
    merchant_id: row.merchantId,
    integration_id: null,
    event,
    body: {
      event,
      order: {
        id: row.id,
        amountCents: row.amountCents,
        currency: row.currency,
        status: row.status,
        scheduledFor: row.scheduledFor.toISOString(),
        createdAt: row.createdAt.toISOString(),
        sentAt: row.sentAt?.toISOString() ?? null,
      },
    },
  },
  fact: null,
})

/** `payments.payouts` (decisions §14): payouts are made elsewhere and announced here. */
export const payoutOperations = ({ db }: Pick<ServiceContext, 'db'>): Implementation[] =>
  implement(payouts, {
    async announce({ body, now }) {
      const { customer_id: merchantId, amount_cents: amountCents, currency } = body
      return db.transaction(async (tx) => {
        const scheduledFor = new Date(body.scheduled_for)
        const payout = { id: newId('payout'), merchantId, amountCents, currency, scheduledFor, now }
        const row = await store.insert(tx, payout)
        if (!row) return refuse('resource_not_found')
        tx.emit(payoutEvent(row, 'payout_upcoming', now))
        return reply({ payout: present(row) })
      })
    },

    async markSent({ params: { payoutId }, now }) {
      return db.transaction(async (tx) => {
        const row = await store.markSent(tx, { payoutId, now })
        if (row) {
          tx.emit(payoutEvent(row, 'payout_sent', now))
          return withBefore(reply({ payout: present(row) }), { status: 'upcoming' })
        }
        const known = await store.get(tx, { payoutId })
        return known
          ? refuse('invalid_state', [{ from: known.status, to: 'sent' }])
          : refuse('resource_not_found')
      })
    },
  })
