import { z } from 'zod'
import { SERVER_HISTORY } from '../db/server-history.ts'
import { queryOne } from '../db/statement.ts'
import type { Logger } from '../log.ts'
import type { RelayContext } from './publish.ts'

const moveSequence = queryOne({
  name: 'outbox.continue-sequences',
  parameters: { beyond: 'bigint' },
  text: `
    WITH known AS (SELECT history, written_by = xmin AS is_original FROM outbox_origin FOR UPDATE),
    recorded AS (
      UPDATE outbox_origin SET history = ${SERVER_HISTORY}, written_by = pg_current_xact_id()::xid
      FROM known WHERE known.history IS DISTINCT FROM ${SERVER_HISTORY} OR NOT known.is_original
      RETURNING known.history
    )
    SELECT setval(pg_get_serial_sequence('outbox_events', 'seq'),
      greatest(:beyond, pg_sequence_last_value(pg_get_serial_sequence('outbox_events', 'seq')::regclass))
    ) AS continued_at
    FROM recorded WHERE history IS NOT NULL`,
  row: z.object({ continuedAt: z.number() }),
})

/**
 * Moves event sequences beyond all earlier ones after the database was restored or promoted: receivers drop an event of an
 * order whose sequence is below one that they have seen (decisions §12). Lost sequences grew by fewer than 1,000 a
 * millisecond, so the present time in microseconds is beyond them, also after a second restore from the same backup.
 */
export const continueSequences = async (
  { db, clock }: Pick<RelayContext, 'db' | 'clock'>,
  log: Logger,
): Promise<void> => {
  const moved = await moveSequence(db, { beyond: clock.outsideMs() * 1_000 })
  if (moved !== null)
    log.warn(
      { event: 'outbox.sequences_continued', continuedAt: moved.continuedAt },
      'The database was restored or promoted; event sequences skip the numbers that may have been lost',
    )
}
