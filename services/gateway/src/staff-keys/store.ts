import { statement, type Queryable } from '@causeway/chassis'
import { StaffRole } from '@causeway/contracts'
import { z } from 'zod'

/** A staff key as it is shown: without the key. */
export const StaffKeyRow = z.object({
  staff_key_id: z.string(),
  name: z.string(),
  role: StaffRole,
  created_at: z.date(),
  last_used_at: z.date().nullable(),
})
export type StaffKeyRow = z.infer<typeof StaffKeyRow>

const SHOWN = 'staff_key_id, name, role, created_at, last_used_at'

const insert = statement({
  name: 'staff-keys.insert',
  text: `
    INSERT INTO staff_keys (staff_key_id, key_mac, name, role, created_at) VALUES ($1, $2, $3, $4, $5)`,
})
const find = statement({
  name: 'staff-keys.find',
  text: `SELECT key_mac, ${SHOWN} FROM staff_keys WHERE key_mac = $1 AND revoked_at IS NULL`,
  row: StaffKeyRow.extend({ key_mac: z.string() }),
})
const countLive = statement({
  name: 'staff-keys.count-live',
  text: 'SELECT count(*) AS keys FROM staff_keys WHERE revoked_at IS NULL',
  row: z.object({ keys: z.number() }),
})
const list = statement({
  name: 'staff-keys.list',
  text: `
    SELECT ${SHOWN} FROM staff_keys WHERE revoked_at IS NULL AND (created_at, staff_key_id) > ($1, $2)
    ORDER BY created_at, staff_key_id LIMIT $3`,
  row: StaffKeyRow,
})
const revoke = statement({
  name: 'staff-keys.revoke',
  text: `
    UPDATE staff_keys SET revoked_at = $2, revision = $3
    WHERE staff_key_id = $1 AND revoked_at IS NULL
    RETURNING ${SHOWN}`,
  row: StaffKeyRow,
})
const touch = statement({
  name: 'staff-keys.touch',
  text: `
    UPDATE staff_keys SET last_used_at = $2
    WHERE staff_key_id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)`,
})

/** Named keys of the operator API, by their keyed hashes. Whoever writes has taken the registry's lock. */
export const staffKeyStore = {
  insert: (tx: Queryable, keyMac: string, row: Omit<StaffKeyRow, 'last_used_at'>) =>
    tx.query(insert, [row.staff_key_id, keyMac, row.name, row.role, row.created_at]),
  find: async (db: Queryable, keyMac: string) => (await db.query(find, [keyMac]))[0] ?? null,
  countLive: async (tx: Queryable) => (await tx.query(countLive))[0]?.keys ?? 0,
  /** Valid keys, oldest first, after a position in (created_at, staff_key_id). */
  list: (db: Queryable, after: Readonly<{ createdAt: string; staffKeyId: string }>, limit: number) =>
    db.query(list, [after.createdAt, after.staffKeyId, limit]),
  /** Null when there is no such valid key. */
  revoke: async (tx: Queryable, staffKeyId: string, now: Date, revision: number) =>
    (await tx.query(revoke, [staffKeyId, now, revision]))[0] ?? null,
  /** Records a use, unless one has been recorded since a moment. Takes no lock but the row's. */
  touch: (db: Queryable, staffKeyId: string, now: Date, unlessSince: Date) =>
    db.query(touch, [staffKeyId, now, unlessSince]),
}
