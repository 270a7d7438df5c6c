import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

const Row = z.object({ offsetMs: z.number() }).optional()

/** How far the time was moved, kept over restarts of the sandbox. */
export const keepOffset = (database: DatabaseSync) => {
  database.exec(
    'CREATE TABLE IF NOT EXISTS clock (only_row INTEGER PRIMARY KEY, offset_ms INTEGER NOT NULL) STRICT',
  )
  const find = database.prepare('SELECT offset_ms AS offsetMs FROM clock')
  const write = database.prepare(
    'INSERT INTO clock VALUES (1, ?) ON CONFLICT (only_row) DO UPDATE SET offset_ms = excluded.offset_ms',
  )
  return {
    read: (): number => Row.parse(find.get())?.offsetMs ?? 0,
    remember: (offsetMs: number): void => void write.run(offsetMs),
  }
}
