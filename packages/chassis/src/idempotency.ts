import type { ErrorCode, Refusal } from '@causeway/contracts'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Db, Transaction } from './db/db.ts'
import { statement } from './db/positional-statement.ts'
import { refuse, type Outcome, type Reply } from './outcome.ts'

const IDEMPOTENCY_RETENTION_MS = 7 * 24 * 3_600_000

const claim = statement({
  name: 'idempotency.claim',
  text: `
    INSERT INTO idempotency_keys (partner_id, operation, key, fingerprint, request_id, created_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (partner_id, operation, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, request_id = excluded.request_id, created_at = excluded.created_at,
          variant = NULL, reply_json = NULL
      WHERE idempotency_keys.created_at < $7
    RETURNING key`,
  row: z.object({ key: z.string() }),
})
const read = statement({
  name: 'idempotency.read',
  text: `
    SELECT fingerprint, request_id, variant, reply_json FROM idempotency_keys
    WHERE partner_id = $1 AND operation = $2 AND key = $3`,
  row: z.object({
    fingerprint: z.string(),
    request_id: z.string(),
    variant: z.string().nullable(),
    reply_json: z.string().nullable(),
  }),
})
const store = statement({
  name: 'idempotency.store',
  text: `
    UPDATE idempotency_keys SET variant = $4, reply_json = $5
    WHERE partner_id = $1 AND operation = $2 AND key = $3`,
})
/** Deletes keys past their retention. $1 before */
export const forgetOldKeys = statement({
  name: 'idempotency.forget-old',
  text: 'DELETE FROM idempotency_keys WHERE created_at < $1',
})

/** Whose key it is and what it was used for (decisions §1, Idempotency-Key). */
export type KeyUse = Readonly<{
  partnerId: string
  operation: string
  key: string
  fingerprint: string
  requestId: string
  now: Date
}>

const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, canonical(inner)]))
}

/** SHA-256 of path parameters and body, the order of keys ignored. */
export const fingerprintOf = (params: unknown, body: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical({ params: params ?? null, body: body ?? null })))
    .digest('hex')

/**
 * Runs an effect once a key: the key's row and the effect commit in one transaction. A second call waits for the
 * first and replays its stored answer; a refusal rolls the key back, so that it may be used again.
 * @param hide a refusal before the key is looked at, in the same transaction: what the caller does not see any more
 *   is not replayed either; null lets the call go on
 */
export const withIdempotency = async <T, C extends ErrorCode>(
  db: Db,
  use: KeyUse,
  effect: (tx: Transaction) => Promise<Outcome<T, C>>,
  hide: (tx: Transaction) => Promise<Refusal<C> | null> = () => Promise.resolve(null),
): Promise<Outcome<T, C | 'idempotency_key_reuse'>> =>
  db.transaction(async (tx) => {
    const hidden = await hide(tx)
    if (hidden) return hidden
    const id = [use.partnerId, use.operation, use.key]
    const expiredBefore = new Date(use.now.getTime() - IDEMPOTENCY_RETENTION_MS)
    const claimed = await tx.query(claim, [...id, use.fingerprint, use.requestId, use.now, expiredBefore])
    if (claimed.length === 0) return replayStored(tx, id, use.fingerprint)
    const outcome = await effect(tx)
    if (outcome.ok) await tx.query(store, [...id, outcome.variant ?? null, JSON.stringify(outcome.value)])
    return outcome
  })

const replayStored = async <T>(
  tx: Transaction,
  id: readonly string[],
  fingerprint: string,
): Promise<Reply<T> | Refusal<'idempotency_key_reuse'>> => {
  const [stored] = await tx.query(read, id)
  if (stored?.reply_json == null) throw new Error('An idempotency key is held without an answer')
  if (stored.fingerprint !== fingerprint) return refuse('idempotency_key_reuse')
  return {
    ok: true,
    value: JSON.parse(stored.reply_json) as T,
    replay: { requestId: stored.request_id, json: stored.reply_json },
    ...(stored.variant === null ? {} : { variant: stored.variant }),
  }
}
