import { queryMany, queryOne } from '@causeway/chassis'
import { z } from 'zod'
import { ENTRY_COLUMNS, EntryRow, withPostings } from '../balance-entries/store.ts'
import { PAYOUT_COLUMNS, PayoutRow } from '../payouts/announced-store.ts'

const ofPartner = { partnerId: 'text' } as const
const ofMerchant = { merchantId: 'text' } as const
const page = { at: 'timestamptz', id: 'text', limit: 'integer' } as const
const NEWEST_AFTER = `
    AND (p.created_at, p.payout_id) < (:at, :id) ORDER BY p.created_at DESC, p.payout_id DESC LIMIT :limit`

/** The payouts of a customer that has granted the capability, newest first, after a position. */
export const listOfCustomer = queryMany({
  name: 'paid-out.list',
  parameters: { ...ofPartner, partnerCustomerId: 'text', ...page },
  text: `
    SELECT ${PAYOUT_COLUMNS} FROM payouts AS p JOIN relationships AS r ON r.partner_customer_id = p.owner_id
    WHERE r.partner_id = :partnerId AND r.status = 'active' AND 'payouts' = ANY (r.grants)
      AND p.owner_id = :partnerCustomerId ${NEWEST_AFTER}`,
  row: PayoutRow,
})

/** A payout of one of the partner's active relationships, whatever it has granted, or of what the partner has earned. */
export const getOfPartner = queryOne({
  name: 'paid-out.get',
  parameters: { ...ofPartner, payoutId: 'text' },
  text: `
    SELECT ${PAYOUT_COLUMNS} FROM payouts AS p
    WHERE p.payout_id = :payoutId AND (p.owner_id = :partnerId OR EXISTS (
      SELECT FROM relationships AS r
      WHERE r.partner_customer_id = p.owner_id AND r.partner_id = :partnerId AND r.status = 'active'))`,
  row: PayoutRow,
})

/** The payouts of a partner's own earnings, newest first, after a position. */
export const listOfEarnings = queryMany({
  name: 'paid-out.list-of-earnings',
  parameters: { ...ofPartner, ...page },
  text: `SELECT ${PAYOUT_COLUMNS} FROM payouts AS p WHERE p.owner_id = :partnerId ${NEWEST_AFTER}`,
  row: PayoutRow,
})

/** A merchant's payouts, newest first, after a position. */
export const listOfMerchant = queryMany({
  name: 'paid-out.list-of-merchant',
  parameters: { ...ofMerchant, ...page },
  text: `SELECT ${PAYOUT_COLUMNS} FROM payouts AS p WHERE p.merchant_id = :merchantId ${NEWEST_AFTER}`,
  row: PayoutRow,
})

export const getOfMerchant = queryOne({
  name: 'paid-out.get-of-merchant',
  parameters: { ...ofMerchant, payoutId: 'text' },
  text: `SELECT ${PAYOUT_COLUMNS} FROM payouts AS p WHERE p.merchant_id = :merchantId AND p.payout_id = :payoutId`,
  row: PayoutRow,
})

const PaidEntryRow = EntryRow.extend({ paidAmount: z.string(), number: z.string() })
export type PaidEntryRow = Readonly<z.infer<typeof PaidEntryRow>>

const entryPage = { payoutId: 'text', number: 'bigint', limit: 'integer' } as const

/**
 * The entries of the payout that `payouts` selects as `payout_id`, newest first, below a number. They are of one account,
 * whose numbers are in the order of the journal.
 */
const entriesOf = (payouts: string): string =>
  withPostings(
    `
    SELECT ${ENTRY_COLUMNS}, i.amount::text AS paid_amount, i.number::text AS number
    FROM (
      SELECT * FROM books.payout_items WHERE payout_id = (${payouts}) AND number < :number ORDER BY number DESC LIMIT :limit
    ) AS i
    JOIN books.entries AS e ON e.account_id = i.account_id AND e.number = i.number
    JOIN books.accounts AS a ON a.id = e.account_id`,
    'p.paid_amount, p.number,',
  )

export const listEntriesOfPartner = queryMany({
  name: 'paid-out.entries',
  parameters: { ...ofPartner, ...entryPage },
  text: entriesOf(`
    SELECT p.payout_id FROM payouts AS p
    WHERE p.payout_id = :payoutId AND (p.owner_id = :partnerId OR EXISTS (
      SELECT FROM relationships AS r
      WHERE r.partner_customer_id = p.owner_id AND r.partner_id = :partnerId AND r.status = 'active'
        AND 'payouts' = ANY (r.grants)))`),
  row: PaidEntryRow,
})
export const listEntriesOfMerchant = queryMany({
  name: 'paid-out.entries-of-merchant',
  parameters: { ...ofMerchant, ...entryPage },
  text: entriesOf(
    'SELECT p.payout_id FROM payouts AS p WHERE p.merchant_id = :merchantId AND p.payout_id = :payoutId',
  ),
  row: PaidEntryRow,
})
