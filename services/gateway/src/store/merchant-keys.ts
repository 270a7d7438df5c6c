import { statement, type Queryable } from '@causeway/chassis'
import { z } from 'zod'

const insert = statement({
  name: 'merchant-api-keys.insert',
  text: 'INSERT INTO merchant_api_keys (key_mac, merchant_id, created_at) VALUES ($1, $2, $3)',
})
const find = statement({
  name: 'merchant-api-keys.find',
  text: 'SELECT key_mac, merchant_id FROM merchant_api_keys WHERE key_mac = $1',
  row: z.object({ key_mac: z.string(), merchant_id: z.string() }),
})

/** Keys of the merchant API, by their keyed hashes. */
export const merchantKeyStore = {
  insert: (tx: Queryable, keyMac: string, merchantId: string, now: Date) =>
    tx.query(insert, [keyMac, merchantId, now]),
  find: async (db: Queryable, keyMac: string) => (await db.query(find, [keyMac]))[0] ?? null,
}
