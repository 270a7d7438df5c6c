import { z } from 'zod'
import { statement } from '../db/positional-statement.ts'

const RingRow = z.object({
  key_id: z.string(),
  purpose: z.string(),
  state: z.enum(['next', 'active', 'retired']),
  wrapping_key: z.string(),
  wrapped: z.string(),
  generation: z.number(),
})
export type RingRow = z.infer<typeof RingRow>

/** Every data key with every wrap of it, the latest first. */
export const readRing = statement({
  name: 'keys.read_ring',
  text: `
    SELECT key_id, purpose, state, wrapping_key, wrapped, generation
    FROM key_ring JOIN wrapped_keys USING (key_id) ORDER BY key_id, generation DESC`,
  row: RingRow,
})

/** Adds a data key unless its purpose has one in this state: of replicas that start together, one adds it. */
export const addKey = statement({
  name: 'keys.add',
  text: `
    WITH added AS (
      INSERT INTO key_ring (key_id, purpose, state, created_at) VALUES ($1, $2, $3, $6)
      ON CONFLICT DO NOTHING RETURNING key_id
    )
    INSERT INTO wrapped_keys (key_id, wrapping_key, wrapped, generation) SELECT key_id, $4, $5, 1 FROM added`,
})

/** Adds a wrap of a key, or makes it the latest again. A key that was deleted meanwhile gets none. */
export const addWrap = statement({
  name: 'keys.add_wrap',
  text: `
    INSERT INTO wrapped_keys (key_id, wrapping_key, wrapped, generation)
    SELECT key_id, $2, $3, max(generation) + 1 FROM wrapped_keys WHERE key_id = $1 GROUP BY key_id
    ON CONFLICT (key_id, wrapping_key) DO UPDATE SET wrapped = excluded.wrapped, generation = excluded.generation`,
})

/**
 * Deletes wraps that are older than the one of the given wrapping key. Newer ones stay: a replica that is still
 * configured with the key before must not undo a rotation that has gone past it.
 */
export const deleteOlderWraps = statement({
  name: 'keys.delete_older_wraps',
  text: `
    DELETE FROM wrapped_keys AS older USING wrapped_keys AS own
    WHERE own.key_id = older.key_id AND own.wrapping_key = $1
      AND older.wrapping_key = ANY ($2::text[]) AND older.generation < own.generation`,
})

/** The key that came next seals from now on, and the one before only opens. */
export const retireActive = statement({
  name: 'keys.retire_active',
  text: `UPDATE key_ring SET state = 'retired' WHERE purpose = 'seal' AND state = 'active'`,
})
export const activateNext = statement({
  name: 'keys.activate_next',
  text: `UPDATE key_ring SET state = 'active' WHERE purpose = 'seal' AND state = 'next' RETURNING key_id`,
  row: z.object({ key_id: z.string() }),
})
export const deleteRetired = statement({
  name: 'keys.delete_retired',
  text: `DELETE FROM key_ring WHERE state = 'retired' RETURNING key_id`,
  row: z.object({ key_id: z.string() }),
})
