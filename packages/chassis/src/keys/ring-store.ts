import { z } from 'zod'
import { queryMany, queryNone, queryOne } from '../db/statement.ts'

const KeyState = z.enum(['next', 'active', 'retired'])
const RingRow = z.object({
  keyId: z.string(),
  purpose: z.string(),
  state: KeyState,
  wrappingKey: z.string(),
  wrapped: z.string(),
  generation: z.number(),
})
export type RingRow = z.infer<typeof RingRow>

/** Every data key with every wrap of it, the latest first. */
export const readRing = queryMany({
  name: 'keys.read_ring',
  text: `
    SELECT key_id, purpose, state, wrapping_key, wrapped, generation
    FROM key_ring JOIN wrapped_keys USING (key_id) ORDER BY key_id, generation DESC`,
  row: RingRow,
})

/** Adds a data key unless its purpose has one in this state: of replicas that start together one succeeds. */
export const addKey = queryNone({
  name: 'keys.add',
  parameters: {
    keyId: 'text',
    purpose: 'text',
    state: 'text',
    wrappingKey: 'text',
    wrapped: 'text',
    now: 'timestamptz',
  },
  text: `
    WITH added AS (
      INSERT INTO key_ring (key_id, purpose, state, created_at) VALUES (:keyId, :purpose, :state, :now)
      ON CONFLICT DO NOTHING RETURNING key_id
    )
    INSERT INTO wrapped_keys (key_id, wrapping_key, wrapped, generation)
    SELECT key_id, :wrappingKey, :wrapped, 1 FROM added`,
})

/** Adds a wrap of a key, or makes it the latest again; does nothing for a key that was deleted meanwhile. */
export const addWrap = queryNone({
  name: 'keys.add_wrap',
  parameters: { keyId: 'text', wrappingKey: 'text', wrapped: 'text' },
  text: `
    INSERT INTO wrapped_keys (key_id, wrapping_key, wrapped, generation)
    SELECT key_id, :wrappingKey, :wrapped, max(generation) + 1
    FROM wrapped_keys WHERE key_id = :keyId GROUP BY key_id
    ON CONFLICT (key_id, wrapping_key) DO UPDATE SET wrapped = excluded.wrapped, generation = excluded.generation`,
})

/**
 * Deletes wraps by `unneededKeys` that are older than the one by `currentKey`. Newer ones stay: a replica that is
 * still configured with the previous key must not undo a rotation.
 */
export const deleteOlderWraps = queryNone({
  name: 'keys.delete_older_wraps',
  parameters: { currentKey: 'text', unneededKeys: 'text[]' },
  text: `
    DELETE FROM wrapped_keys AS older USING wrapped_keys AS own
    WHERE own.key_id = older.key_id AND own.wrapping_key = :currentKey
      AND older.wrapping_key = ANY (:unneededKeys) AND older.generation < own.generation`,
})

/** The key that came next seals from now on, and the one before only opens. */
export const retireActive = queryNone({
  name: 'keys.retire_active',
  text: `UPDATE key_ring SET state = 'retired' WHERE purpose = 'seal' AND state = 'active'`,
})
export const activateNext = queryOne({
  name: 'keys.activate_next',
  text: `UPDATE key_ring SET state = 'active' WHERE purpose = 'seal' AND state = 'next' RETURNING key_id`,
  row: z.object({ keyId: z.string() }),
})
export const deleteRetired = queryMany({
  name: 'keys.delete_retired',
  text: `DELETE FROM key_ring WHERE state = 'retired' RETURNING key_id`,
  row: z.object({ keyId: z.string() }),
})
