import { queryMany, queryNone, queryOne, type Queryable } from '@causeway/chassis'
import { StaffRole } from '@causeway/contracts'
import { z } from 'zod'
import { isPerson, isStaffKey } from './actors.ts'

/** A named key of the operator API, without its secret. */
const StaffKeyRecord = z.object({
  staffKeyId: z.string(),
  name: z.string(),
  role: StaffRole,
  createdAt: z.date(),
  lastUsedAt: z.date().nullable(),
})
export type StaffKeyRecord = z.infer<typeof StaffKeyRecord>

const SHOWN = 'staff_key_id, name, role, created_at, last_used_at'

/** Adds a key, by its keyed hash. The caller holds the change feed's lock, under which it has counted the keys. */
export const insertStaffKey = queryNone({
  name: 'staff-keys.insert',
  parameters: {
    staffKeyId: 'text',
    keyMac: 'text',
    name: 'text',
    role: 'text',
    createdAt: 'timestamptz',
    madeBy: 'text',
  },
  text: `
    INSERT INTO staff_keys (staff_key_id, key_mac, name, role, created_at, made_by)
    VALUES (:staffKeyId, :keyMac, :name, :role, :createdAt, :madeBy)`,
})

const findFirstMaker = queryOne({
  name: 'staff-keys.find-first-maker',
  parameters: { staffKeyId: 'text' },
  text: `
    WITH RECURSIVE chain AS (
      SELECT staff_key_id, made_by FROM staff_keys WHERE staff_key_id = :staffKeyId
      UNION
      SELECT maker.staff_key_id, maker.made_by
      FROM chain JOIN staff_keys AS maker ON maker.staff_key_id = chain.made_by)
    SELECT staff_key_id, made_by FROM chain
    WHERE NOT EXISTS (SELECT FROM staff_keys WHERE staff_keys.staff_key_id = chain.made_by)`,
  row: z.object({ staffKeyId: z.string(), madeBy: z.string().nullable() }),
})

/**
 * Finds the person behind an actor of the audit log. A key represents the person who received it: the person of an identity
 * provider at the beginning of its chain of makers, otherwise the first key of that chain, which the key of the setting
 * made, or which is older than the record of makers.
 */
export const findPersonBehind = async (db: Queryable, actor: string): Promise<string> => {
  if (!isStaffKey(actor)) return actor
  const first = await findFirstMaker(db, { staffKeyId: actor })
  if (first === null) return actor
  return first.madeBy !== null && isPerson(first.madeBy) ? first.madeBy : first.staffKeyId
}

/** A key, revoked ones included, looked up by its keyed hash. */
export const findStaffKey = queryOne({
  name: 'staff-keys.find',
  parameters: { keyMac: 'text' },
  text: `SELECT key_mac, revoked_at IS NOT NULL AS revoked, ${SHOWN} FROM staff_keys WHERE key_mac = :keyMac`,
  row: StaffKeyRecord.extend({ keyMac: z.string(), revoked: z.boolean() }),
})

/** The role of a valid key, looked up by its id. */
export const findStaffKeyRole = queryOne({
  name: 'staff-keys.find-role',
  parameters: { staffKeyId: 'text' },
  text: 'SELECT role FROM staff_keys WHERE staff_key_id = :staffKeyId AND revoked_at IS NULL',
  row: z.object({ role: StaffRole }),
})

export const countLiveStaffKeys = queryOne({
  name: 'staff-keys.count-live',
  text: 'SELECT count(*) AS live FROM staff_keys WHERE revoked_at IS NULL',
  row: z.object({ live: z.number() }),
})

/** Valid keys, oldest first, after a position in (created_at, staff_key_id). */
export const listStaffKeys = queryMany({
  name: 'staff-keys.list',
  parameters: { afterAt: 'timestamptz', afterId: 'text', limit: 'integer' },
  text: `
    SELECT ${SHOWN} FROM staff_keys
    WHERE revoked_at IS NULL AND (created_at, staff_key_id) > (:afterAt, :afterId)
    ORDER BY created_at, staff_key_id LIMIT :limit`,
  row: StaffKeyRecord,
})

/** Revokes a key, under a revision of the change feed; null when there is no such valid key. */
export const revokeStaffKey = queryOne({
  name: 'staff-keys.revoke',
  parameters: { staffKeyId: 'text', now: 'timestamptz', revision: 'bigint' },
  text: `
    UPDATE staff_keys SET revoked_at = :now, revision = :revision
    WHERE staff_key_id = :staffKeyId AND revoked_at IS NULL
    RETURNING ${SHOWN}`,
  row: StaffKeyRecord,
})

/** Records a use, unless one was recorded after `unlessSince`. Locks nothing but the row. */
export const recordStaffKeyUse = queryNone({
  name: 'staff-keys.touch',
  parameters: { staffKeyId: 'text', now: 'timestamptz', unlessSince: 'timestamptz' },
  text: `
    UPDATE staff_keys SET last_used_at = :now
    WHERE staff_key_id = :staffKeyId AND (last_used_at IS NULL OR last_used_at <= :unlessSince)`,
})
