import { z } from 'zod'
import { queryOne } from '../db/statement.ts'

const Deleted = z.object({ deleted: z.number() })

/** Deletes the oldest batches that are past their retention, a bounded number; their events follow. */
export const deleteExpiredBatches = queryOne({
  name: 'outbox.delete-expired-batches',
  parameters: { before: 'timestamptz', limit: 'integer' },
  text: `
    WITH deleted AS (
      DELETE FROM outbox_published
      WHERE batch IN (SELECT batch FROM outbox_published ORDER BY batch LIMIT :limit) AND published_at < :before
      RETURNING 1
    )
    SELECT count(*)::integer AS deleted FROM deleted`,
  row: Deleted,
})

/** Opens a block of sequences ahead of the one that is written, unless there is one. */
export const openBlock = queryOne({
  name: 'outbox.open-block',
  parameters: { size: 'bigint' },
  text: 'SELECT open_outbox_block(:size) AS is_new',
  row: z.object({ isNew: z.boolean() }),
})

/** Drops the oldest block if all of its events are past their retention; null where they are not. */
export const dropBlock = queryOne({
  name: 'outbox.drop-block',
  parameters: { before: 'timestamptz' },
  text: 'SELECT dropped FROM drop_outbox_block(:before) AS dropped WHERE dropped IS NOT NULL',
  row: z.object({ dropped: z.string() }),
})

/**
 * Deletes events past their retention, the lowest first, a bounded number. Of blocks only those of the one that is
 * written: those before it are dropped.
 */
const deletePast = (name: string, table: string, condition: string) =>
  queryOne({
    name,
    parameters: { before: 'timestamptz', limit: 'integer' },
    text: `
      WITH deleted AS (
        DELETE FROM ${table} WHERE seq IN (
          SELECT seq FROM ${table} WHERE seq < (SELECT outbox_past()) AND ${condition} AND created_at < :before
          ORDER BY seq LIMIT :limit)
        RETURNING 1
      )
      SELECT count(*)::integer AS deleted FROM deleted`,
    row: Deleted,
  })

export const deletePastOfWrittenBlock = deletePast(
  'outbox.delete-past',
  'outbox_events',
  'seq >= (SELECT coalesce(max(begins), 0) FROM outbox_blocks WHERE begins <= outbox_given())',
)

export const deletePastOutsideBlocks = deletePast('outbox.delete-strays', 'outbox_events_other', 'true')
