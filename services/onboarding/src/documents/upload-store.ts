import { statement } from '@causeway/chassis'
import { z } from 'zod'

const KeyRow = z.object({ blob_key: z.string() })

/** Notes an upload before its first byte is stored. $1 blob key, $2 partner, $3 relationship, $4 now */
export const insert = statement({
  name: 'document-uploads.insert',
  text: `
    INSERT INTO document_uploads (blob_key, partner_id, partner_customer_id, started_at) VALUES ($1, $2, $3, $4)`,
})

/** Ends an upload whose document is being written. No row: its bytes are being deleted. $1 blob key, $2 partner, $3 relationship */
export const finish = statement({
  name: 'document-uploads.finish',
  text: `
    DELETE FROM document_uploads
    WHERE blob_key = $1 AND partner_id = $2 AND partner_customer_id = $3 AND NOT discarding
    RETURNING blob_key`,
  row: KeyRow,
})

/** Gives up one upload: no document may come of it any more. $1 blob key, $2 partner, $3 relationship */
export const giveUp = statement({
  name: 'document-uploads.give-up',
  text: `
    UPDATE document_uploads SET discarding = true
    WHERE blob_key = $1 AND partner_id = $2 AND partner_customer_id = $3
    RETURNING blob_key`,
  row: KeyRow,
})

/** Gives up uploads that have been under way for too long. $1 started before, $2 how many */
export const giveUpOld = statement({
  name: 'document-uploads.give-up-old',
  text: `
    UPDATE document_uploads SET discarding = true
    WHERE blob_key = ANY (ARRAY(
      SELECT blob_key FROM document_uploads WHERE started_at < $1
      ORDER BY started_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING blob_key`,
  row: KeyRow,
})

/** Forgets uploads whose bytes are deleted. $1 blob keys */
export const forget = statement({
  name: 'document-uploads.forget',
  text: 'DELETE FROM document_uploads WHERE blob_key = ANY($1::text[])',
})
