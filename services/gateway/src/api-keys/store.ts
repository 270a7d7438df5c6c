import { statement, type Queryable } from '@causeway/chassis'
import { z } from 'zod'

/** A key as it is shown: by its last characters at the most. */
export const MerchantKeyRow = z.object({
  key_id: z.string(),
  hint: z.string().nullable(),
  created_at: z.date(),
})
export type MerchantKeyRow = z.infer<typeof MerchantKeyRow>

const ID = `coalesce(key_id, 'key_0' || substr(md5(key_mac), 1, 25))`
const SHOWN = `${ID} AS key_id, hint, created_at`

/** Keys of one merchant are made one after the other, so that each count sees the key before. */
const holdMerchant = statement({
  name: 'merchant-api-keys.hold-merchant',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('api keys of ' || $1, 0))::text AS held`,
  row: z.object({ held: z.string() }),
})
const insertBelow = statement({
  name: 'merchant-api-keys.insert-below',
  text: `
    INSERT INTO merchant_api_keys (key_mac, merchant_id, created_at, key_id, hint)
    SELECT $1, $2, $3, $4, $5
    WHERE (SELECT count(*) FROM merchant_api_keys WHERE merchant_id = $2 AND revoked_at IS NULL) < $6
    RETURNING key_id`,
  row: z.object({ key_id: z.string() }),
})
const find = statement({
  name: 'merchant-api-keys.find',
  text: 'SELECT key_mac, merchant_id FROM merchant_api_keys WHERE key_mac = $1 AND revoked_at IS NULL',
  row: z.object({ key_mac: z.string(), merchant_id: z.string() }),
})
const list = statement({
  name: 'merchant-api-keys.list',
  text: `
    SELECT ${SHOWN} FROM merchant_api_keys WHERE merchant_id = $1 AND revoked_at IS NULL
    ORDER BY created_at, key_mac`,
  row: MerchantKeyRow,
})
const revoke = statement({
  name: 'merchant-api-keys.revoke',
  text: `
    UPDATE merchant_api_keys SET revoked_at = $3, revision = $4
    WHERE merchant_id = $1 AND ${ID} = $2 AND revoked_at IS NULL
    RETURNING ${SHOWN}`,
  row: MerchantKeyRow,
})

/** A new key: its keyed hash, whose it is, its id and its last characters. */
export type NewMerchantKey = Readonly<{
  keyMac: string
  merchantId: string
  keyId: string
  hint: string
  now: Date
}>

/** Keys of the merchant API, by their keyed hashes. */
export const merchantKeyStore = {
  /** Adds a key unless the merchant has `limit` valid ones; whether it did. Exact when raced. */
  insertBelow: async (tx: Queryable, key: NewMerchantKey, limit: number): Promise<boolean> => {
    await tx.query(holdMerchant, [key.merchantId])
    const { keyMac, merchantId, now, keyId, hint } = key
    return (await tx.query(insertBelow, [keyMac, merchantId, now, keyId, hint, limit])).length === 1
  },
  find: async (db: Queryable, keyMac: string) => (await db.query(find, [keyMac]))[0] ?? null,
  /** Those that are valid, oldest first. */
  list: (db: Queryable, merchantId: string) => db.query(list, [merchantId]),
  /** Null when the merchant has no such valid key. */
  revoke: async (tx: Queryable, merchantId: string, keyId: string, now: Date, revision: number) =>
    (await tx.query(revoke, [merchantId, keyId, now, revision]))[0] ?? null,
}
