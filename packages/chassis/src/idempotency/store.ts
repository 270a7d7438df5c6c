import { z } from 'zod'
import { deleteOldest, Deleted, OLDEST } from '../db/delete-oldest.ts'
import { queryNone, queryOne } from '../db/statement.ts'

const KEY = { partnerId: 'text', operation: 'text', key: 'text' } as const
const OF_KEY = 'partner_id = :partnerId AND operation = :operation AND key = :key'

const CLAIM = {
  ...KEY,
  fingerprint: 'text',
  requestId: 'text',
  now: 'timestamptz',
  expiredBefore: 'timestamptz',
} as const
const insertKey = (values: string): string => `
    INSERT INTO idempotency_keys
      (partner_id, operation, key, fingerprint, request_id, created_at, lease_until, recorded)
    VALUES (:partnerId, :operation, :key, :fingerprint, :requestId, :now, ${values})
    ON CONFLICT (partner_id, operation, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, request_id = excluded.request_id, created_at = excluded.created_at,
          lease_until = excluded.lease_until, recorded = excluded.recorded, variant = NULL, reply_json = NULL
      WHERE idempotency_keys.created_at < :expiredBefore
    RETURNING key`

/**
 * Claims a key that is free or past its retention; null where another call holds it. Waits for a concurrent claim to
 * commit. `leaseUntil` is null where the claim commits together with its effect.
 */
export const claimKey = queryOne({
  name: 'idempotency.claim',
  parameters: { ...CLAIM, leaseUntil: 'timestamptz?' },
  text: insertKey(':leaseUntil, NULL'),
  row: z.object({ key: z.string() }),
})

/** Parameters of {@link CLAIMED_KEY}: the values of a {@link KeyClaim}, and what the statement writes. */
export const KEY_CLAIM_PARAMETERS = { ...CLAIM, leaseUntil: 'timestamptz', recorded: 'text' } as const

/**
 * SQL: a query of a WITH that claims a key as {@link claimKey} does, under a lease, for a statement that also writes the
 * effect. `claimed` has no row if another call has the key.
 */
export const CLAIMED_KEY = `claimed AS (${insertKey(':leaseUntil, :recorded')})`

/** SQL: the condition that no call holds the key, of {@link KEY_CLAIM_PARAMETERS}. */
export const IS_KEY_FREE = `NOT EXISTS (
      SELECT FROM idempotency_keys WHERE ${OF_KEY} AND created_at >= :expiredBefore)`

/**
 * SQL: two queries of a WITH that claim a key where `effect` has a row, which it has only where {@link IS_KEY_FREE}.
 * A key that another call claims at the same moment breaks {@link KEY_CONSTRAINT}: then nothing of the statement is
 * written.
 */
export const claimedKeyWith = (effect: string): string => `
    expired AS (DELETE FROM idempotency_keys WHERE ${OF_KEY} AND created_at < :expiredBefore RETURNING key),
    claimed AS (
      INSERT INTO idempotency_keys
        (partner_id, operation, key, fingerprint, request_id, created_at, lease_until, recorded)
      SELECT :partnerId, :operation, :key, :fingerprint, :requestId, :now, :leaseUntil, :recorded
      FROM ${effect} CROSS JOIN (SELECT count(*) FROM expired) AS deleted_before)`
export const KEY_CONSTRAINT = 'idempotency_keys_pkey'

/** Parameters of {@link storedReply}. */
export const KEY_REPLY_PARAMETERS = { ...KEY, replyJson: 'text' } as const

/** SQL: a query of a WITH that stores a reply, as {@link setReply} does, where `effect` has a row. */
export const storedReply = (effect: string): string => `
    answered AS (
      UPDATE idempotency_keys SET reply_json = :replyJson, lease_until = NULL
      WHERE ${OF_KEY} AND reply_json IS NULL AND EXISTS (SELECT FROM ${effect}))`

/** Takes over a key whose lease has ended without a reply. */
export const takeOverKey = queryOne({
  name: 'idempotency.take-over',
  parameters: { ...KEY, now: 'timestamptz', leaseUntil: 'timestamptz' },
  text: `
    UPDATE idempotency_keys SET lease_until = :leaseUntil
    WHERE ${OF_KEY} AND reply_json IS NULL AND lease_until < :now
    RETURNING recorded, request_id`,
  row: z.object({ recorded: z.string().nullable(), requestId: z.string() }),
})

/** Stores the id of what the first transaction of an effect has written. */
export const recordProgress = queryNone({
  name: 'idempotency.record-step',
  parameters: { ...KEY, recorded: 'text' },
  text: `UPDATE idempotency_keys SET recorded = :recorded WHERE ${OF_KEY}`,
})

const StoredKey = z.object({
  fingerprint: z.string(),
  requestId: z.string(),
  variant: z.string().nullable(),
  replyJson: z.string().nullable(),
})
export type StoredKey = z.infer<typeof StoredKey>

export const readKey = queryOne({
  name: 'idempotency.read',
  parameters: KEY,
  text: `SELECT fingerprint, request_id, variant, reply_json FROM idempotency_keys WHERE ${OF_KEY}`,
  row: StoredKey,
})

/** Stores the reply; a stored reply is never replaced. */
export const setReply = queryNone({
  name: 'idempotency.store',
  parameters: { ...KEY, variant: 'text?', replyJson: 'text' },
  text: `
    UPDATE idempotency_keys SET variant = :variant, reply_json = :replyJson, lease_until = NULL
    WHERE ${OF_KEY} AND reply_json IS NULL`,
})

/** Removes a stored reply. The next call with the key takes it over. */
export const clearReply = queryNone({
  name: 'idempotency.clear-reply',
  parameters: { ...KEY, leaseUntil: 'timestamptz' },
  text: `UPDATE idempotency_keys SET variant = NULL, reply_json = NULL, lease_until = :leaseUntil WHERE ${OF_KEY}`,
})

/** Deletes a key that has no reply. */
export const deleteKey = queryNone({
  name: 'idempotency.release-step',
  parameters: KEY,
  text: `DELETE FROM idempotency_keys WHERE ${OF_KEY} AND reply_json IS NULL`,
})

/** Deletes a key that has no reply, and the lease that ends at this moment; null where it has another one. */
export const deleteLeasedKey = queryOne({
  name: 'idempotency.release-leased',
  parameters: { ...KEY, leaseUntil: 'timestamptz' },
  text: `
    DELETE FROM idempotency_keys WHERE ${OF_KEY} AND reply_json IS NULL AND lease_until = :leaseUntil RETURNING key`,
  row: z.object({ key: z.string() }),
})

export const setLeaseEnd = queryNone({
  name: 'idempotency.lapse-step',
  parameters: { ...KEY, leaseUntil: 'timestamptz' },
  text: `UPDATE idempotency_keys SET lease_until = :leaseUntil WHERE ${OF_KEY} AND reply_json IS NULL`,
})

/** Deletes a batch of keys past their retention; skips those that another replica is deleting. */
export const deleteOldKeys = queryOne({
  name: 'idempotency.delete-old',
  parameters: OLDEST,
  text: deleteOldest('idempotency_keys', 'created_at'),
  row: Deleted,
})
