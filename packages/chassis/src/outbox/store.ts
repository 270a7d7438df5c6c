import { z } from 'zod'
import { statement } from '../db/positional-statement.ts'

export const OutboxRow = z.object({
  seq: z.number(),
  event_id: z.string(),
  subject: z.string(),
  payload: z.string(),
  traceparent: z.string().nullable(),
})
export type OutboxRow = z.infer<typeof OutboxRow>

/** Takes or keeps the relay's lease and reads what is unpublished, in one round trip. $1 holder, $2 now, $3 lease end, $4 limit. */
export const claimUnpublished = statement({
  name: 'outbox.claim-unpublished',
  text: `
    WITH mine AS (
      UPDATE outbox_relay SET holder = $1, lease_until = $3
      WHERE lease_until < $2 OR holder IS NULL OR (holder = $1 AND lease_until < $2 + ($3 - $2) / 2)
      RETURNING 1
    )
    SELECT seq, event_id, subject, payload, traceparent FROM outbox
    WHERE published_at IS NULL
      AND (EXISTS (SELECT FROM mine) OR EXISTS (SELECT FROM outbox_relay WHERE holder = $1 AND lease_until >= $2))
    ORDER BY seq LIMIT $4`,
  row: OutboxRow,
})

/** $1 seqs, $2 stream seqs, $3 now. The stream's progress goes up only while this replica holds the lease ($4). */
export const markPublished = statement({
  name: 'outbox.mark-published',
  text: `
    WITH progress AS (
      UPDATE outbox_relay SET stream_seq = greatest(stream_seq, (SELECT max(s) FROM unnest($2::bigint[]) AS s))
      WHERE holder = $4
    )
    UPDATE outbox SET published_at = $3, stream_seq = acked.stream_seq
    FROM unnest($1::bigint[], $2::bigint[]) AS acked (seq, stream_seq)
    WHERE outbox.seq = acked.seq`,
})

export const readProgress = statement({
  name: 'outbox.read-progress',
  text: 'SELECT stream_created, stream_seq FROM outbox_relay',
  row: z.object({ stream_created: z.string().nullable(), stream_seq: z.number() }),
})

/**
 * After the stream lost data: what it no longer holds counts as unpublished again, and its new identity is kept.
 * $1 the stream's creation, $2 its last sequence (0 for a new stream).
 */
export const republishAfterLoss = statement({
  name: 'outbox.republish-after-loss',
  text: `
    WITH identity AS (UPDATE outbox_relay SET stream_created = $1, stream_seq = $2)
    UPDATE outbox SET published_at = NULL, stream_seq = NULL
    WHERE published_at IS NOT NULL AND stream_seq > $2
    RETURNING seq`,
  row: z.object({ seq: z.number() }),
})

export const rememberStream = statement({
  name: 'outbox.remember-stream',
  text: 'UPDATE outbox_relay SET stream_created = $1 WHERE stream_created IS NULL',
})

/** Lets another replica take over at once. */
export const releaseRelay = statement({
  name: 'outbox.release-relay',
  text: "UPDATE outbox_relay SET holder = NULL, lease_until = '-infinity' WHERE holder = $1",
})

/** Deletes the oldest published rows that are past their retention; a bounded number at a time. $1 before, $2 limit. */
export const deleteExpired = statement({
  name: 'outbox.delete-expired',
  text: `
    DELETE FROM outbox
    WHERE seq IN (SELECT seq FROM outbox ORDER BY seq LIMIT $2) AND published_at < $1
    RETURNING seq`,
  row: z.object({ seq: z.number() }),
})
