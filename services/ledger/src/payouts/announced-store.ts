import { queryMany, queryOne } from '@causeway/chassis'
import { PayoutSchedule, PayoutStatus, PayoutTransferStatus } from '@causeway/contracts'
import { z } from 'zod'

export const PayoutRow = z.object({
  payoutId: z.string(),
  /** Null: a payout to a partner, which is its owner. */
  merchantId: z.string().nullable(),
  ownerId: z.string(),
  /** In the unit's smallest part. */
  amount: z.string(),
  unit: z.string(),
  status: PayoutStatus,
  scheduledFor: z.date(),
  createdAt: z.date(),
  sentAt: z.date().nullable(),
  settledAt: z.date().nullable(),
  returnedAt: z.date().nullable(),
  returnReason: z.string().nullable(),
  reference: z.string().nullable(),
  txId: z.string().nullable(),
  schedule: PayoutSchedule.nullable(),
  /** Masked; null: not known to the platform. */
  destination: z.string().nullable(),
  paymentFileId: z.string().nullable(),
  /** The whole address; null for an IBAN, and once it is erased. */
  address: z.string().nullable(),
  /** Null: staff have not asked the signer to send it. */
  transferStatus: PayoutTransferStatus.nullable(),
  /** Why the signer waits, or why it failed. */
  transferProblem: z.string().nullable(),
})
export type PayoutRow = Readonly<z.infer<typeof PayoutRow>>

export const PAYOUT_COLUMNS = `
  p.payout_id, p.merchant_id, p.owner_id, coalesce(p.amount, p.amount_cents)::text AS amount, p.currency AS unit, p.status, p.scheduled_for, p.created_at, p.sent_at,
  p.settled_at, p.returned_at, p.return_reason, p.reference, p.tx_id, p.schedule,
  p.payment_file_id, (SELECT w.masked FROM payout_wallets AS w WHERE w.payout_wallet_id = p.payout_wallet_id) AS destination,
  (SELECT w.address FROM payout_wallets AS w WHERE w.payout_wallet_id = p.payout_wallet_id) AS address,
  p.transfer_status, p.transfer_problem`

/**
 * The owner that a merchant's payout is booked at: the relationship that is named, the merchant's only one, or the merchant
 * itself. `partnerCustomerId` empty: none is named. Null for a merchant or relationship that is unknown.
 */
export const getOwner = queryOne({
  name: 'payouts.owner',
  parameters: { merchantId: 'text', partnerCustomerId: 'text' },
  text: `
    SELECT CASE
        WHEN :partnerCustomerId <> '' THEN max(r.partner_customer_id)
        WHEN count(*) = 1 THEN max(r.partner_customer_id)
        WHEN count(*) > 1 THEN :merchantId
      END AS owner_id
    FROM relationships AS r
    WHERE r.merchant_id = :merchantId AND :partnerCustomerId IN ('', r.partner_customer_id)`,
  row: z.object({ ownerId: z.string().nullable() }),
})

/** Null for a payout that is known. `amount` in the unit's smallest part. */
export const insert = queryOne({
  name: 'payouts.announce',
  parameters: {
    payoutId: 'text',
    merchantId: 'text?',
    ownerId: 'text',
    amount: 'numeric',
    unit: 'text',
    payoutWalletId: 'text?',
    reference: 'text?',
    scheduledFor: 'timestamptz',
    createdAt: 'timestamptz',
    runId: 'text?',
    schedule: 'jsonb?',
  },
  text: `
    INSERT INTO payouts AS p (payout_id, merchant_id, owner_id, amount_cents, amount, currency, status,
      payout_wallet_id, reference, scheduled_for, created_at, run_id, schedule)
    VALUES (:payoutId, :merchantId, :ownerId, CASE WHEN :unit NOT LIKE '%/%' THEN :amount END,
      CASE WHEN :unit LIKE '%/%' THEN :amount END, :unit, 'upcoming', :payoutWalletId, :reference, :scheduledFor,
      :createdAt, :runId, :schedule)
    ON CONFLICT DO NOTHING RETURNING ${PAYOUT_COLUMNS}`,
  row: PayoutRow,
})

/**
 * Sets the status and what belongs to it. Null for a payout whose status is not in `from`, where it is in a file that is not
 * the one that is uploaded, and for one that the signer is sending, unless it is the signer's step.
 */
export const takeStep = queryOne({
  name: 'payouts.take-step',
  parameters: {
    payoutId: 'text',
    step: 'text',
    from: 'text[]',
    at: 'timestamptz',
    reference: 'text?',
    txId: 'text?',
    returnReason: 'text?',
    paymentFileId: 'text?',
    isOfSigner: 'boolean',
  },
  text: `
    UPDATE payouts AS p SET status = :step,
      sent_at = CASE :step WHEN 'sent' THEN :at ELSE p.sent_at END,
      settled_at = CASE :step WHEN 'settled' THEN :at ELSE p.settled_at END,
      returned_at = CASE :step WHEN 'returned' THEN :at ELSE p.returned_at END,
      reference = coalesce(:reference, p.reference), tx_id = coalesce(:txId, p.tx_id),
      return_reason = coalesce(:returnReason, p.return_reason)
    WHERE p.payout_id = :payoutId AND p.status = ANY (:from)
      AND (:step NOT IN ('sent', 'cancelled') OR p.payment_file_id IS NOT DISTINCT FROM :paymentFileId)
      AND (:isOfSigner OR p.transfer_status IS NULL OR p.transfer_status IN ('confirmed', 'failed'))
    RETURNING ${PAYOUT_COLUMNS}, old.status AS status_before`,
  row: PayoutRow.extend({ statusBefore: PayoutStatus }),
})

/** The partner that may read an owner's payouts. Null: the relationship is revoked or has not granted it, or it is a merchant. */
export const getReader = queryOne({
  name: 'payouts.reader',
  parameters: { ownerId: 'text' },
  text: `
    SELECT partner_id FROM relationships
    WHERE partner_customer_id = :ownerId AND status = 'active' AND 'payouts' = ANY (grants)`,
  row: z.object({ partnerId: z.string() }),
})

export const get = queryOne({
  name: 'payouts.get',
  parameters: { payoutId: 'text' },
  text: `SELECT ${PAYOUT_COLUMNS} FROM payouts AS p WHERE p.payout_id = :payoutId`,
  row: PayoutRow,
})

/** Payouts of one status in the order of their schedule, after a position. */
export const listPage = queryMany({
  name: 'payouts.list',
  parameters: { status: 'text', at: 'timestamptz', id: 'text', limit: 'integer' },
  text: `
    SELECT ${PAYOUT_COLUMNS} FROM payouts AS p
    WHERE p.status = :status AND (p.scheduled_for, p.payout_id) > (:at, :id)
    ORDER BY p.scheduled_for, p.payout_id LIMIT :limit`,
  row: PayoutRow,
})
