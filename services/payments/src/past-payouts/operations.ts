import { implement, reply, type Db, type Implementation } from '@causeway/chassis'
import { MAX_PAST_PAYOUTS, pastPayouts } from '@causeway/contracts'
import { confirmStatuses, listUnconfirmed } from './store.ts'

/** `payments.past-payouts`: hands payouts of the version before to the ledger, each until its status is confirmed. */
export const pastPayoutOperations = (db: Db): Implementation[] =>
  implement(pastPayouts, {
    async list() {
      const rows = await listUnconfirmed(db.pooled, { limit: MAX_PAST_PAYOUTS })
      return reply({
        payouts: rows.map((row) => ({
          payout_id: row.id,
          customer_id: row.merchantId,
          amount_cents: row.amountCents,
          currency: row.currency,
          status: row.status,
          scheduled_for: row.scheduledFor.toISOString(),
          created_at: row.createdAt.toISOString(),
          sent_at: row.sentAt?.toISOString() ?? null,
        })),
      })
    },

    async confirm({ body: { payouts } }) {
      await confirmStatuses(db.pooled, {
        ids: payouts.map((each) => each.payout_id),
        statuses: payouts.map(({ status }) => status),
      })
      return reply({})
    },
  })
