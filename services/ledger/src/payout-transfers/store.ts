import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { PayoutWalletStatus } from '@causeway/contracts'
import { PAYOUT_COLUMNS, PayoutRow } from '../payouts/announced-store.ts'

/** A payout with the standing of its destination; null: it has none. */
export const getSendable = queryOne({
  name: 'payout-transfers.get',
  parameters: { payoutId: 'text' },
  text: `
    SELECT ${PAYOUT_COLUMNS}, (
      SELECT w.status FROM payout_wallets AS w WHERE w.payout_wallet_id = p.payout_wallet_id) AS wallet_status
    FROM payouts AS p WHERE p.payout_id = :payoutId`,
  row: PayoutRow.extend({ walletStatus: PayoutWalletStatus.nullable() }),
})

/** Notes that staff had the signer send a payout; null for one that is not `upcoming`, or that the signer has already. */
export const request = queryOne({
  name: 'payout-transfers.request',
  parameters: { payoutId: 'text', now: 'timestamptz' },
  text: `
    UPDATE payouts AS p SET transfer_status = 'requested', transfer_due_at = :now
    WHERE p.payout_id = :payoutId AND p.status = 'upcoming' AND p.transfer_status IS NULL
    RETURNING ${PAYOUT_COLUMNS}`,
  row: PayoutRow,
})

/** Payouts about which the signer is asked now. */
export const listDue = queryMany({
  name: 'payout-transfers.due',
  parameters: { now: 'timestamptz', limit: 'integer' },
  text: `
    SELECT ${PAYOUT_COLUMNS} FROM payouts AS p
    WHERE p.transfer_due_at <= :now ORDER BY p.transfer_due_at, p.payout_id LIMIT :limit`,
  row: PayoutRow,
})

/** Stores how far the signer is. An end is not changed. `dueAt`: the next request to the signer; null at the end. */
export const setProgress = queryNone({
  name: 'payout-transfers.set-progress',
  parameters: { payoutId: 'text', status: 'text', problem: 'text?', dueAt: 'timestamptz?' },
  text: `
    UPDATE payouts SET transfer_status = :status, transfer_problem = :problem, transfer_due_at = :dueAt
    WHERE payout_id = :payoutId AND transfer_status IN ('requested', 'broadcast')`,
})
