import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

const Row = z.object({ offsetMs: z.number() }).optional()

/** Stores the offset of simulated time, so that it survives restarts of the sandbox. */
export const createOffsetStore = (database: DatabaseSync) => {
  database.exec(
    'CREATE TABLE IF NOT EXISTS clock (only_row INTEGER PRIMARY KEY, offset_ms INTEGER NOT NULL) STRICT',
  )
  const select = database.prepare('SELECT offset_ms AS offsetMs FROM clock')
  const upsert = database.prepare(
    'INSERT INTO clock VALUES (1, ?) ON CONFLICT (only_row) DO UPDATE SET offset_ms = excluded.offset_ms',
  )
  return {
    get: (): number => Row.parse(select.get())?.offsetMs ?? 0,
    save: (offsetMs: number): void => void upsert.run(offsetMs),
  }
}
