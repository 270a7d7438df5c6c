import {
  fingerprintOf,
  implement,
  keysetList,
  newId,
  OLDEST_FIRST,
  refuse,
  reply,
  withBefore,
  withIdempotency,
  type Cursors,
  type Db,
  type Implementation,
  type KeyUse,
  type OperationRequest,
  type Transaction,
} from '@causeway/chassis'
import { payouts, type Payout } from '@causeway/contracts'
import * as store from './announced-store.ts'
import { payoutEvent } from './events.ts'
import { payOut, stepPayout } from './pay-out.ts'
import { readSummary } from './summary.ts'

const present = (row: store.PayoutRow): Payout => ({
  payout_id: row.payoutId,
  customer_id: row.merchantId,
  amount_cents: row.amountCents,
  currency: row.currency,
  status: row.status,
  scheduled_for: row.scheduledFor.toISOString(),
  created_at: row.createdAt.toISOString(),
  sent_at: row.sentAt?.toISOString() ?? null,
})

/** Owner of the keys of all staff: a payout that one announced is not announced again by another with its key. */
const STAFF = 'operator'

const announce = async (tx: Transaction, { body, now }: OperationRequest<typeof payouts.announce>) => {
  const { customer_id: merchantId, partner_customer_id: named, amount_cents: amountCents, currency } = body
  const ownerId = (await store.getOwner(tx, { merchantId, partnerCustomerId: named ?? '' }))?.ownerId ?? null
  if (ownerId === null) return refuse('resource_not_found')
  const payoutId = newId('payout')
  // Money that was paid elsewhere: what the balance does not cover is an advance (decisions §49).
  const wanted = { payoutId, ownerId, unit: currency, amount: BigInt(amountCents), takesAdvance: true }
  await payOut(tx, wanted, now)
  const row = await store.insert(tx, {
    ...{ payoutId, merchantId, ownerId, amountCents, currency, createdAt: now },
    scheduledFor: new Date(body.scheduled_for),
  })
  if (row === null) throw new Error(`${payoutId} exists`)
  tx.emit(payoutEvent('payout.upcoming', row, await readSummary(tx, row), now))
  return reply({ payout: present(row) })
}

/** `ledger.payouts` (decisions §14, §49). */
export const payoutOperations = (db: Db, cursors: Cursors): Implementation[] =>
  implement(payouts, {
    async list({ query: { status, limit, cursor } }) {
      const list = keysetList(cursors, { name: `payouts:${status}`, order: OLDEST_FIRST })
      const after = list.after(cursor)
      if (after === null) return refuse('invalid_cursor')
      const { items, nextCursor } = list.page({
        rows: await store.listPage(db, { status, ...after, limit }),
        limit,
        present,
        positionOf: (row) => ({ at: row.scheduledFor, id: row.payoutId }),
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
        const row = await store.markSent(tx, { payoutId, at: now })
        if (row) {
          await stepPayout(tx, { payoutId, step: 'sent' }, now)
          tx.emit(payoutEvent('payout.sent', row, await readSummary(tx, row), now))
          return withBefore(reply({ payout: present(row) }), { status: 'upcoming' })
        }
        const known = await store.get(tx, { payoutId })
        return known
          ? refuse('invalid_state', [{ from: known.status, to: 'sent' }])
          : refuse('resource_not_found')
      })
    },
  })
