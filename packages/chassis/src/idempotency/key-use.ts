import { createHash } from 'node:crypto'
import type { Reply } from '../outcome.ts'
import type { StoredKey } from './store.ts'

/** Retention of a key and its reply. */
export const KEY_RETENTION_MS = 7 * 24 * 3_600_000

/** A key with its owner. */
export type KeyId = Readonly<{ partnerId: string; operation: string; key: string }>

/** A key with its owner and the request that it is used for (decisions §1, Idempotency-Key). */
export type KeyUse = KeyId & Readonly<{ fingerprint: string; requestId: string; now: Date }>

/** The columns of {@link KeyId} alone, as the statements take them. */
export const keyIdOf = ({ partnerId, operation, key }: KeyId): KeyId => ({ partnerId, operation, key })

/** Parameters of a claim. */
export const claimOf = (use: KeyUse, leaseUntil: Date | null) => ({
  ...use,
  leaseUntil,
  expiredBefore: new Date(use.now.getTime() - KEY_RETENTION_MS),
})

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

/** The replay of a stored reply. */
export const replayOf = <T>({ requestId, variant }: StoredKey, json: string): Reply<T> => ({
  ok: true,
  value: JSON.parse(json) as T,
  replay: { requestId, json },
  ...(variant === null ? {} : { variant }),
})

/** The stored form of a reply. */
export const storedReplyOf = ({ variant, value }: Reply<unknown>) => ({
  variant: variant ?? null,
  replyJson: JSON.stringify(value),
})
