import {
  createCursors,
  fingerprintOf,
  implement,
  keysetList,
  newId,
  newIdAt,
  OLDEST_FIRST,
  refuse,
  reply,
  withBefore,
  withIdempotency,
  type ServiceContext,
  type Implementation,
  type KeyUse,
  type OperationRequest,
  type Transaction,
} from '@causeway/chassis'
import { EVENTS, payouts, type EventOf, type Payout } from '@causeway/contracts'
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

type PayoutEventName = 'payout.upcoming' | 'payout.sent'

/** The event for the merchant; a payout has no integration, so it goes to wildcard registrations only. */
const payoutEvent = (name: PayoutEventName, row: store.PayoutRow, now: Date): EventOf<PayoutEventName> => {
  const event = EVENTS[name].merchant
  const order = {
    id: row.id,
    amountCents: row.amountCents,
    currency: row.currency,
    status: row.status,
    scheduledFor: row.scheduledFor.toISOString(),
    createdAt: row.createdAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
  }
  return {
    id: newIdAt('event', now.getTime()),
    name,
    created_at: now.toISOString(),
    partners: [],
    merchant: { merchant_id: row.merchantId, integration_id: null, event, body: { event, order } },
    fact: null,
  }
}

/** Owner of the keys of all staff: a payout that one announced is not announced again by another with its key. */
const STAFF = 'operator'

const announce = async (tx: Transaction, { body, now }: OperationRequest<typeof payouts.announce>) => {
  const { customer_id: merchantId, amount_cents: amountCents, currency } = body
  const scheduledFor = new Date(body.scheduled_for)
  const payout = { id: newId('payout'), merchantId, amountCents, currency, scheduledFor, now }
  const row = await store.insert(tx, payout)
  if (!row) return refuse('resource_not_found')
  tx.emit(payoutEvent('payout.upcoming', row, now))
  return reply({ payout: present(row) })
}

/** `payments.payouts` (decisions §14): payouts are made elsewhere and announced here. */
export const payoutOperations = ({ db, vault }: Pick<ServiceContext, 'db' | 'vault'>): Implementation[] => {
  const cursors = createCursors(vault)
  return implement(payouts, {
    async list({ query: { status, limit, cursor } }) {
      const list = keysetList(cursors, { name: `payouts:${status}`, order: OLDEST_FIRST })
      const after = list.after(cursor)
      if (after === null) return refuse('invalid_cursor')
      const { items, nextCursor } = list.page({
        rows: await store.listPage(db, { status, ...after, limit }),
        limit,
        present,
        positionOf: (row) => ({ at: row.scheduledFor, id: row.id }),
        continuesWhenFull: true,
      })
      return reply({ payouts: items, next_cursor: nextCursor })
    },

    announce(request) {
      const { idempotencyKey: key, requestId, now } = request
      if (key === undefined) return db.transaction((tx) => announce(tx, request))
      const use: KeyUse = {
        partnerId: STAFF,
        operation: payouts.announce.subject,
        key,
        fingerprint: fingerprintOf(null, request.body),
        requestId,
        now,
      }
      return withIdempotency(db, use, (tx) => announce(tx, request))
    },

    async markSent({ params: { payoutId }, now }) {
      return db.transaction(async (tx) => {
        const row = await store.markSent(tx, { payoutId, now })
        if (row) {
          tx.emit(payoutEvent('payout.sent', row, now))
          return withBefore(reply({ payout: present(row) }), { status: 'upcoming' })
        }
        const known = await store.get(tx, { payoutId })
        return known
          ? refuse('invalid_state', [{ from: known.status, to: 'sent' }])
          : refuse('resource_not_found')
      })
    },
  })
}
