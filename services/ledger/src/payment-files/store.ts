import { queryMany, queryNone, queryOne, withDataKey } from '@causeway/chassis'
import { z } from 'zod'

/**
 * Locks the next payouts that a file can take, and keeps their destinations as they are: upcoming, to an IBAN that was not
 * refused, and not in a file.
 */
export const lockPayable = queryMany({
  name: 'payment-files.lock-payable',
  parameters: { unit: 'text', most: 'bigint', limit: 'integer' },
  text: `
    SELECT p.payout_id, p.amount_cents, p.reference, w.payout_wallet_id,
      ${withDataKey('w.account_sealed', 'w.payout_wallet_id')} AS account_sealed
    FROM payouts AS p JOIN payout_wallets AS w ON w.payout_wallet_id = p.payout_wallet_id
    WHERE p.currency = :unit AND p.status = 'upcoming' AND p.payout_wallet_id IS NOT NULL
      AND p.payment_file_id IS NULL AND p.amount_cents <= :most
      AND w.kind = 'iban' AND w.status = 'active' AND w.erased_at IS NULL
    ORDER BY p.scheduled_for, p.payout_id LIMIT :limit
    FOR NO KEY UPDATE OF p FOR SHARE OF w`,
  row: z.object({
    payoutId: z.string(),
    amountCents: z.number(),
    reference: z.string().nullable(),
    payoutWalletId: z.string(),
    accountSealed: z.string(),
  }),
})

/** Puts payouts into a new file in the books, which refuse one that is in a file. @returns their amounts there */
export const putIntoFile = queryMany({
  name: 'payment-files.put-into-file',
  parameters: { paymentFileId: 'text', unit: 'text', payoutIds: 'text[]' },
  text: `
    SELECT payout_id, amount::text FROM books.put_into_file(:paymentFileId, :unit, :payoutIds) ORDER BY payout_id`,
  row: z.object({ payoutId: z.string(), amount: z.string() }),
})

export const insert = queryNone({
  name: 'payment-files.insert',
  parameters: {
    paymentFileId: 'text',
    unit: 'text',
    totalCents: 'bigint',
    sha256: 'text',
    contentSealed: 'text',
    now: 'timestamptz',
  },
  text: `
    INSERT INTO payment_files (payment_file_id, unit, total_cents, sha256, content_sealed, status, created_at)
    VALUES (:paymentFileId, :unit, :totalCents, :sha256, :contentSealed, 'made', :now)`,
})

export const setFile = queryNone({
  name: 'payment-files.set-file',
  parameters: { paymentFileId: 'text', payoutIds: 'text[]' },
  text: 'UPDATE payouts SET payment_file_id = :paymentFileId WHERE payout_id = ANY (:payoutIds)',
})

const FileRow = z.object({
  paymentFileId: z.string(),
  unit: z.string(),
  totalCents: z.number(),
  sha256: z.string(),
  status: z.enum(['made', 'uploaded']),
  createdAt: z.date(),
  uploadedAt: z.date().nullable(),
  erasedAt: z.date().nullable(),
  payoutIds: z.array(z.string()),
})
export type FileRow = Readonly<z.infer<typeof FileRow>>

const COLUMNS = `
  f.payment_file_id, f.unit, f.total_cents, f.sha256, f.status, f.created_at, f.uploaded_at, f.erased_at, ARRAY(
    SELECT p.payout_id FROM payouts AS p WHERE p.payment_file_id = f.payment_file_id ORDER BY p.payout_id
  ) AS payout_ids`

const ofFile = { paymentFileId: 'text' } as const

export const get = queryOne({
  name: 'payment-files.get',
  parameters: ofFile,
  text: `SELECT ${COLUMNS} FROM payment_files AS f WHERE f.payment_file_id = :paymentFileId`,
  row: FileRow,
})

export const lock = queryOne({
  name: 'payment-files.lock',
  parameters: ofFile,
  text: `SELECT ${COLUMNS} FROM payment_files AS f WHERE f.payment_file_id = :paymentFileId FOR NO KEY UPDATE OF f`,
  row: FileRow,
})

/** Files newest first, before a position. */
export const listPage = queryMany({
  name: 'payment-files.list',
  parameters: { at: 'timestamptz', id: 'text', limit: 'integer' },
  text: `
    SELECT ${COLUMNS} FROM payment_files AS f WHERE (f.created_at, f.payment_file_id) < (:at, :id)
    ORDER BY f.created_at DESC, f.payment_file_id DESC LIMIT :limit`,
  row: FileRow,
})

/** Null once the content is erased. */
export const getContent = queryOne({
  name: 'payment-files.content',
  parameters: ofFile,
  text: `
    SELECT ${withDataKey('f.content_sealed', 'f.payment_file_id')} AS content_sealed FROM payment_files AS f
    WHERE f.payment_file_id = :paymentFileId AND f.content_sealed IS NOT NULL`,
  row: z.object({ contentSealed: z.string() }),
})

export const markUploaded = queryNone({
  name: 'payment-files.mark-uploaded',
  parameters: { ...ofFile, now: 'timestamptz' },
  text: `
    UPDATE payment_files SET status = 'uploaded', uploaded_at = :now WHERE payment_file_id = :paymentFileId`,
})

/**
 * Erases the content of files that were uploaded, once all their payouts have ended, and destroys their keys: each holds
 * names and accounts.
 */
export const eraseEnded = queryMany({
  name: 'payment-files.erase-ended',
  parameters: { now: 'timestamptz', limit: 'integer' },
  text: `
    WITH due AS (
      SELECT f.payment_file_id FROM payment_files AS f
      WHERE f.status = 'uploaded' AND f.erased_at IS NULL AND NOT EXISTS (
        SELECT FROM payouts AS p WHERE p.payment_file_id = f.payment_file_id AND p.status IN ('upcoming', 'sent'))
      ORDER BY f.uploaded_at LIMIT :limit FOR NO KEY UPDATE SKIP LOCKED
    ), destroyed AS (
      DELETE FROM data_keys USING due WHERE subject = due.payment_file_id
    )
    UPDATE payment_files AS f SET content_sealed = NULL, erased_at = :now
    FROM due WHERE f.payment_file_id = due.payment_file_id
    RETURNING f.payment_file_id`,
  row: z.object({ paymentFileId: z.string() }),
})
