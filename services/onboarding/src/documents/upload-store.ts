import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

const KeyRow = z.object({ blobKey: z.string() })
const KEY = { blobKey: 'text', partnerId: 'text', partnerCustomerId: 'text' } as const

/** Records an upload before its first byte is stored. */
export const insert = queryNone({
  name: 'document-uploads.insert',
  parameters: { ...KEY, now: 'timestamptz' },
  text: `
    INSERT INTO document_uploads (blob_key, partner_id, partner_customer_id, started_at)
    VALUES (:blobKey, :partnerId, :partnerCustomerId, :now)`,
})

/** Ends an upload whose document is being written. No row comes back where its bytes are being deleted. */
export const finish = queryOne({
  name: 'document-uploads.finish',
  parameters: KEY,
  text: `
    DELETE FROM document_uploads
    WHERE blob_key = :blobKey AND partner_id = :partnerId AND partner_customer_id = :partnerCustomerId
      AND NOT discarding
    RETURNING blob_key`,
  row: KeyRow,
})

/** Marks one upload for deletion: no document may come of it any more. */
export const markForDeletion = queryOne({
  name: 'document-uploads.give-up',
  parameters: KEY,
  text: `
    UPDATE document_uploads SET discarding = true
    WHERE blob_key = :blobKey AND partner_id = :partnerId AND partner_customer_id = :partnerCustomerId
    RETURNING blob_key`,
  row: KeyRow,
})

/** Marks the oldest uploads from before a time; rows that another transaction has locked are skipped. */
export const markOldForDeletion = queryMany({
  name: 'document-uploads.give-up-old',
  parameters: { startedBefore: 'timestamptz', limit: 'bigint' },
  text: `
    UPDATE document_uploads SET discarding = true
    WHERE blob_key = ANY (ARRAY(
      SELECT blob_key FROM document_uploads WHERE started_at < :startedBefore
      ORDER BY started_at LIMIT :limit FOR UPDATE SKIP LOCKED))
    RETURNING blob_key`,
  row: KeyRow,
})

/** Deletes the record of an upload whose bytes are deleted. */
export const deleteUpload = queryNone({
  name: 'document-uploads.forget',
  parameters: { blobKey: 'text' },
  text: 'DELETE FROM document_uploads WHERE blob_key = :blobKey',
})
