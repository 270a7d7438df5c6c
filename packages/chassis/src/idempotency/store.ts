import { z } from 'zod'
import { queryNone, queryOne } from '../db/statement.ts'

const KEY = { partnerId: 'text', operation: 'text', key: 'text' } as const
const OF_KEY = 'partner_id = :partnerId AND operation = :operation AND key = :key'

/**
 * Claims a key that is free or past its retention; null where another call holds it. Waits for a concurrent claim to
 * commit. `leaseUntil` is null where the claim commits together with its effect.
 */
export const claimKey = queryOne({
  name: 'idempotency.claim',
  parameters: {
    ...KEY,
    fingerprint: 'text',
    requestId: 'text',
    now: 'timestamptz',
    expiredBefore: 'timestamptz',
    leaseUntil: 'timestamptz?',
  },
  text: `
    INSERT INTO idempotency_keys (partner_id, operation, key, fingerprint, request_id, created_at, lease_until)
    VALUES (:partnerId, :operation, :key, :fingerprint, :requestId, :now, :leaseUntil)
    ON CONFLICT (partner_id, operation, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, request_id = excluded.request_id, created_at = excluded.created_at,
          lease_until = excluded.lease_until, recorded = NULL, variant = NULL, reply_json = NULL
      WHERE idempotency_keys.created_at < :expiredBefore
    RETURNING key`,
  row: z.object({ key: z.string() }),
})

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

/** Deletes a key that has no reply. */
export const deleteKey = queryNone({
  name: 'idempotency.release-step',
  parameters: KEY,
  text: `DELETE FROM idempotency_keys WHERE ${OF_KEY} AND reply_json IS NULL`,
})

export const setLeaseEnd = queryNone({
  name: 'idempotency.lapse-step',
  parameters: { ...KEY, leaseUntil: 'timestamptz' },
  text: `UPDATE idempotency_keys SET lease_until = :leaseUntil WHERE ${OF_KEY} AND reply_json IS NULL`,
})

/** Deletes keys past their retention. */
export const deleteOldKeys = queryNone({
  name: 'idempotency.forget-old',
  parameters: { before: 'timestamptz' },
  text: 'DELETE FROM idempotency_keys WHERE created_at < :before',
})
