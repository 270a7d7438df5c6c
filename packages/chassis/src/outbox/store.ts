import { z } from 'zod'
import { queryMany, queryNone, queryOne } from '../db/statement.ts'

const OutboxRow = z.object({
  seq: z.number(),
  eventId: z.string(),
  subject: z.string(),
  payload: z.string(),
  traceparent: z.string().nullable(),
})

/** Last event of the relay's batches that the stream is known to have. Renewing the lease writes it into the relay's row. */
const KNOWN_SEQ = `greatest(stream_seq, (
    SELECT max(b.last_stream_seq) FROM (
      SELECT last_stream_seq, advances FROM outbox_published ORDER BY batch DESC LIMIT 1000) AS b
    WHERE b.advances))`

/**
 * Claims or renews the relay's lease and reads unpublished rows after `afterSeq`, in one round trip. The rows that were
 * published since the oldest snapshot that anybody holds stay in the index, before those that are not: a claim from the
 * beginning reads them all again (ADR 0062).
 */
export const claimUnpublished = queryMany({
  name: 'outbox.claim-unpublished',
  parameters: {
    holder: 'text',
    now: 'timestamptz',
    leaseUntil: 'timestamptz',
    afterSeq: 'bigint',
    limit: 'integer',
  },
  text: `
    WITH mine AS (
      UPDATE outbox_relay SET holder = :holder, lease_until = :leaseUntil, stream_seq = ${KNOWN_SEQ}
      WHERE lease_until < :now OR holder IS NULL
        OR (holder = :holder AND lease_until < :now + (:leaseUntil - :now) / 2)
      RETURNING 1
    )
    SELECT e.seq, e.event_id, e.subject, e.payload, e.traceparent
    FROM outbox_unpublished u CROSS JOIN LATERAL (SELECT * FROM outbox_events WHERE seq = u.seq LIMIT 1) e
    WHERE u.seq > :afterSeq AND (EXISTS (SELECT FROM mine)
      OR EXISTS (SELECT FROM outbox_relay WHERE holder = :holder AND lease_until >= :now))
    ORDER BY u.seq LIMIT :limit`,
  row: OutboxRow,
})

/**
 * Reads which transactions may still commit: those below `oldestXid` have ended; rows up to `lastSeq` were inserted by
 * transactions below `nextXid`. The sequence is read before the id is taken, in the order of the columns.
 */
export const observeTransactions = queryOne({
  name: 'outbox.observe-transactions',
  text: `
    SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('outbox_events', 'seq')::regclass), 0) AS last_seq,
      pg_current_xact_id()::text::bigint AS next_xid, pg_snapshot_xmin(s)::text::bigint AS oldest_xid
    FROM pg_current_snapshot() AS s`,
  row: z.object({ lastSeq: z.number(), nextXid: z.number(), oldestXid: z.number() }),
})

/**
 * Takes what the stream has acknowledged off the list and stores it as one batch, which advances what the stream is
 * known to have only while this replica holds the lease. The relay's row is left alone: a version of it for each batch
 * is what every statement would read while somebody holds a snapshot.
 */
export const markPublished = queryNone({
  name: 'outbox.mark-published',
  parameters: { seqs: 'bigint[]', lastStreamSeq: 'bigint', now: 'timestamptz', holder: 'text' },
  text: `
    WITH batch AS (
      INSERT INTO outbox_published (published_at, last_stream_seq, seqs, advances)
      SELECT :now, :lastStreamSeq, :seqs, EXISTS (SELECT FROM outbox_relay WHERE holder = :holder)
    )
    DELETE FROM outbox_unpublished WHERE seq = ANY (:seqs)`,
})

export const readProgress = queryOne({
  name: 'outbox.read-progress',
  text: `SELECT stream_id, stream_created, ${KNOWN_SEQ} AS stream_seq FROM outbox_relay`,
  row: z.object({
    streamId: z.string().nullable(),
    streamCreated: z.string().nullable(),
    streamSeq: z.number(),
  }),
})

/** The last event of the newest batch that was published since then, and the stream's sequence of that batch's end. */
export const readLastPublished = queryOne({
  name: 'outbox.read-last-published',
  parameters: { since: 'timestamptz' },
  text: `
    SELECT b.last_stream_seq, e.seq, e.event_id, e.subject, e.payload, e.traceparent
    FROM (SELECT * FROM outbox_published ORDER BY batch DESC LIMIT 1) AS b
    JOIN outbox_events e ON e.seq = b.seqs[cardinality(b.seqs)]
    WHERE b.published_at > :since`,
  row: OutboxRow.extend({ lastStreamSeq: z.number() }),
})

/**
 * Lists as unpublished again what the stream lost, by whole batches, and stores the stream's new identity. `lastSeq` is
 * the stream's last sequence, 0 for a new stream. An event that was published again long after its neighbours may be
 * deleted with them before its batch is.
 */
export const republishAfterLoss = queryMany({
  name: 'outbox.republish-after-loss',
  parameters: { streamId: 'text?', streamCreated: 'text', lastSeq: 'bigint' },
  text: `
    WITH identity AS (
      UPDATE outbox_relay SET stream_id = :streamId, stream_created = :streamCreated, stream_seq = :lastSeq
    ),
    lost AS (DELETE FROM outbox_published WHERE last_stream_seq > :lastSeq RETURNING seqs)
    INSERT INTO outbox_unpublished (seq)
    SELECT s.seq FROM lost CROSS JOIN unnest(lost.seqs) AS s (seq)
    WHERE s.seq >= (SELECT min(seq) FROM outbox_events)
    ON CONFLICT DO NOTHING
    RETURNING seq`,
  row: z.object({ seq: z.number() }),
})

export const rememberStream = queryNone({
  name: 'outbox.remember-stream',
  parameters: { streamId: 'text?', streamCreated: 'text' },
  text: 'UPDATE outbox_relay SET stream_id = :streamId, stream_created = :streamCreated',
})

/** Counts the unpublished events up to a limit, and reads when the first was emitted; null without one. */
export const readBacklog = queryOne({
  name: 'outbox.backlog',
  parameters: { bound: 'integer' },
  text: `
    SELECT
      (SELECT count(*)::integer FROM (SELECT FROM outbox_unpublished LIMIT :bound) AS counted) AS waiting,
      (SELECT created_at FROM outbox_events WHERE seq = (SELECT min(seq) FROM outbox_unpublished)) AS oldest_at`,
  row: z.object({ waiting: z.number(), oldestAt: z.date().nullable() }),
})

/** Releases the lease, so that another replica can claim it immediately. */
export const releaseRelay = queryNone({
  name: 'outbox.release-relay',
  parameters: { holder: 'text' },
  text: "UPDATE outbox_relay SET holder = NULL, lease_until = '-infinity' WHERE holder = :holder",
})
