import { queryMany, queryOne, type Transaction } from '@causeway/chassis'
import { z } from 'zod'

/** A key of the merchant API without its secret; `hint` is its last four characters. */
const ApiKeyRecord = z.object({
  keyId: z.string(),
  hint: z.string().nullable(),
  createdAt: z.date(),
})
export type ApiKeyRecord = z.infer<typeof ApiKeyRecord>

/** Keys that were created before keys had ids get one from their hash. */
const ID = `coalesce(key_id, 'key_0' || substr(md5(key_mac), 1, 25))`
const SHOWN = `${ID} AS key_id, hint, created_at`

/** Serialises the creation of a merchant's keys, so that each count includes the previous key. */
const lockMerchant = queryOne({
  name: 'merchant-api-keys.hold-merchant',
  parameters: { merchantId: 'text' },
  text: `SELECT pg_advisory_xact_lock(hashtextextended('api keys of ' || :merchantId, 0))::text AS locked`,
  row: z.object({ locked: z.string() }),
})

const insertBelowLimit = queryOne({
  name: 'merchant-api-keys.insert-below',
  parameters: {
    keyMac: 'text',
    merchantId: 'text',
    createdAt: 'timestamptz',
    keyId: 'text',
    hint: 'text',
    limit: 'integer',
  },
  text: `
    INSERT INTO merchant_api_keys (key_mac, merchant_id, created_at, key_id, hint)
    SELECT :keyMac, :merchantId, :createdAt, :keyId, :hint
    WHERE :limit > (
      SELECT count(*) FROM merchant_api_keys WHERE merchant_id = :merchantId AND revoked_at IS NULL
    )
    RETURNING key_id`,
  row: z.object({ keyId: z.string() }),
})

/** Adds a key unless the merchant has `limit` valid ones. Exact under concurrency. @returns whether it was added */
export const insertApiKey = async (
  tx: Transaction,
  key: Parameters<typeof insertBelowLimit>[1],
): Promise<boolean> => {
  await lockMerchant(tx, { merchantId: key.merchantId })
  return (await insertBelowLimit(tx, key)) !== null
}

/** The merchant of a key, revoked ones included, looked up by its keyed hash. */
export const findApiKey = queryOne({
  name: 'merchant-api-keys.find',
  parameters: { keyMac: 'text' },
  text: `
    SELECT key_mac, merchant_id, ${ID} AS key_id, revoked_at IS NOT NULL AS revoked
    FROM merchant_api_keys WHERE key_mac = :keyMac`,
  row: z.object({ keyMac: z.string(), merchantId: z.string(), keyId: z.string(), revoked: z.boolean() }),
})

/** The valid keys of a merchant, oldest first. */
export const listApiKeys = queryMany({
  name: 'merchant-api-keys.list',
  parameters: { merchantId: 'text' },
  text: `
    SELECT ${SHOWN} FROM merchant_api_keys WHERE merchant_id = :merchantId AND revoked_at IS NULL
    ORDER BY created_at, key_mac`,
  row: ApiKeyRecord,
})

/** Revokes a key, under a revision of the change feed; null when the merchant has no such valid key. */
export const revokeApiKey = queryOne({
  name: 'merchant-api-keys.revoke',
  parameters: { merchantId: 'text', keyId: 'text', now: 'timestamptz', revision: 'bigint' },
  text: `
    UPDATE merchant_api_keys SET revoked_at = :now, revision = :revision
    WHERE merchant_id = :merchantId AND ${ID} = :keyId AND revoked_at IS NULL
    RETURNING ${SHOWN}`,
  row: ApiKeyRecord,
})
