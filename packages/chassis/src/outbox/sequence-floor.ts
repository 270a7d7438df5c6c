import { z } from 'zod'
import type { Db } from '../db/db.ts'
import { queryNone, queryOne } from '../db/statement.ts'

/** Numbers of one timeline: 68 billion events; 131,072 timelines stay exact in JavaScript. */
const NUMBERS_A_TIMELINE = 2 ** 36

const lockSequence = queryNone({
  name: 'outbox.lock-sequence',
  text: "SELECT pg_advisory_xact_lock(hashtext('outbox sequence'))",
})

const readTimeline = queryOne({
  name: 'outbox.read-timeline',
  text: "SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int AS timeline",
  row: z.object({ timeline: z.number() }),
})

const raiseSequence = queryNone({
  name: 'outbox.raise-sequence',
  parameters: { floor: 'bigint' },
  text: `
    SELECT setval(name, :floor)
    FROM (SELECT pg_get_serial_sequence('outbox_events', 'seq')::regclass AS name) AS sequence
    WHERE coalesce(pg_sequence_last_value(name), 0) < :floor`,
})

/**
 * Raises the numbers of events above all that an earlier timeline of the database may have given. A database that was
 * restored has forgotten its last events, which receivers have: with their numbers given anew, a receiver would take the
 * later changes of an order for older ones (decisions §40). Each restore and promotion begins a new timeline.
 */
export const raiseSequenceFloor = (
  db: Pick<Db, 'transaction'>,
  timelineOf: (tx: Parameters<typeof readTimeline>[0]) => Promise<number> = async (tx) =>
    (await readTimeline(tx))?.timeline ?? 1,
): Promise<void> =>
  db.transaction(async (tx) => {
    await lockSequence(tx)
    await raiseSequence(tx, { floor: ((await timelineOf(tx)) - 1) * NUMBERS_A_TIMELINE })
  })
