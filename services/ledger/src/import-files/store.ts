import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { z } from 'zod'

const PART = { blobKey: 'text', part: 'integer' } as const

/** Stores a part; a repeated one changes nothing. */
export const insertPart = queryNone({
  name: 'import-files.insert-part',
  parameters: { ...PART, sealed: 'bytea', now: 'timestamptz' },
  text: `
    INSERT INTO import_file_parts (blob_key, part, sealed, stored_at) VALUES (:blobKey, :part, :sealed, :now)
    ON CONFLICT DO NOTHING`,
})

/** @returns null after the last part */
export const getPart = queryOne({
  name: 'import-files.get-part',
  parameters: PART,
  text: 'SELECT sealed FROM import_file_parts WHERE blob_key = :blobKey AND part = :part',
  row: z.object({ sealed: z.instanceof(Buffer) }),
})

/** Deletes a file. */
export const deleteFile = queryNone({
  name: 'import-files.delete',
  parameters: { blobKey: 'text' },
  text: 'DELETE FROM import_file_parts WHERE blob_key = :blobKey',
})

/** Deletes the oldest parts from before a time; those that another replica deletes are skipped. */
export const deleteOldParts = queryMany({
  name: 'import-files.delete-old-parts',
  parameters: { storedBefore: 'timestamptz', limit: 'integer' },
  text: `
    DELETE FROM import_file_parts WHERE (blob_key, part) IN (
      SELECT blob_key, part FROM import_file_parts WHERE stored_at < :storedBefore
      ORDER BY stored_at LIMIT :limit FOR UPDATE SKIP LOCKED)
    RETURNING part`,
  row: z.object({ part: z.number() }),
})

/** Makes writers of lines of one source follow one another: else two would wait for lines of each other. */
export const lockSource = queryOne({
  name: 'import-files.lock-source',
  parameters: { source: 'text' },
  text: `SELECT pg_advisory_xact_lock(hashtextextended('lines of ' || :source, 0))::text AS locked`,
  row: z.object({ locked: z.string() }),
})
