import { z } from 'zod'
import { queryMany, queryNone, queryOne } from '../db/statement.ts'

const OutboxRow = z.object({
  seq: z.number(),
  eventId: z.string(),
  subject: z.string(),
  payload: z.string(),
  traceparent: z.string().nullable(),
})

/** Claims or renews the relay's lease and reads unpublished rows, in one round trip. */
export const claimUnpublished = queryMany({
  name: 'outbox.claim-unpublished',
  parameters: { holder: 'text', now: 'timestamptz', leaseUntil: 'timestamptz', limit: 'integer' },
  text: `
    WITH mine AS (
      UPDATE outbox_relay SET holder = :holder, lease_until = :leaseUntil
      WHERE lease_until < :now OR holder IS NULL
        OR (holder = :holder AND lease_until < :now + (:leaseUntil - :now) / 2)
      RETURNING 1
    )
    SELECT seq, event_id, subject, payload, traceparent FROM outbox
    WHERE published_at IS NULL
      AND (EXISTS (SELECT FROM mine)
        OR EXISTS (SELECT FROM outbox_relay WHERE holder = :holder AND lease_until >= :now))
    ORDER BY seq LIMIT :limit`,
  row: OutboxRow,
})

/** Marks rows that the stream has acknowledged. The recorded sequence advances only while this replica holds the lease. */
export const markPublished = queryNone({
  name: 'outbox.mark-published',
  parameters: { seqs: 'bigint[]', streamSeqs: 'bigint[]', now: 'timestamptz', holder: 'text' },
  text: `
    WITH progress AS (
      UPDATE outbox_relay SET stream_seq = greatest(stream_seq, (SELECT max(s) FROM unnest(:streamSeqs) AS s))
      WHERE holder = :holder
    )
    UPDATE outbox SET published_at = :now, stream_seq = acked.stream_seq
    FROM unnest(:seqs, :streamSeqs) AS acked (seq, stream_seq)
    WHERE outbox.seq = acked.seq`,
})

export const readProgress = queryOne({
  name: 'outbox.read-progress',
  text: 'SELECT stream_created, stream_seq FROM outbox_relay',
  row: z.object({ streamCreated: z.string().nullable(), streamSeq: z.number() }),
})

/**
 * Marks rows that the stream has lost as unpublished, and stores the stream's new identity.
 * `lastSeq` is the stream's last sequence, 0 for a new stream.
 */
export const republishAfterLoss = queryMany({
  name: 'outbox.republish-after-loss',
  parameters: { streamCreated: 'text', lastSeq: 'bigint' },
  text: `
    WITH identity AS (UPDATE outbox_relay SET stream_created = :streamCreated, stream_seq = :lastSeq)
    UPDATE outbox SET published_at = NULL, stream_seq = NULL
    WHERE published_at IS NOT NULL AND stream_seq > :lastSeq
    RETURNING seq`,
  row: z.object({ seq: z.number() }),
})

export const rememberStream = queryNone({
  name: 'outbox.remember-stream',
  parameters: { streamCreated: 'text' },
  text: 'UPDATE outbox_relay SET stream_created = :streamCreated WHERE stream_created IS NULL',
})

/** Releases the lease, so that another replica can claim it at once. */
export const releaseRelay = queryNone({
  name: 'outbox.release-relay',
  parameters: { holder: 'text' },
  text: "UPDATE outbox_relay SET holder = NULL, lease_until = '-infinity' WHERE holder = :holder",
})

/** Deletes the oldest published rows that are past their retention; a bounded number at a time. */
export const deleteExpired = queryMany({
  name: 'outbox.delete-expired',
  parameters: { before: 'timestamptz', limit: 'integer' },
  text: `
    DELETE FROM outbox
    WHERE seq IN (SELECT seq FROM outbox ORDER BY seq LIMIT :limit) AND published_at < :before
    RETURNING seq`,
  row: z.object({ seq: z.number() }),
})
