import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { createDb, migrate } from '../src/database.ts'
import { createClock, createLogger, queryMany, queryNone, type KeyConfig } from '../src/index.ts'
import { testDatabase, testKeyRing } from '../src/testing/index.ts'

const contextOf = (key: string) => `letter:${key}`
export const LETTERS = { table: 'letters', key: 'id', column: 'text_sealed', contextOf } as const
/** Use of a service that seals letters and hashed e-mail addresses before key rings existed. */
export const USE = { columns: [LETTERS], formerHashPurposes: ['merchant-email'] }

const create = queryNone({
  name: 'test.letters-create',
  text: 'CREATE TABLE letters (id text COLLATE "C" PRIMARY KEY, text_sealed text)',
})
const insert = queryNone({
  name: 'test.letters-insert',
  parameters: { ids: 'text[]', sealed: 'text[]' },
  text: 'INSERT INTO letters SELECT * FROM unnest(:ids, :sealed)',
})
const read = queryMany({
  name: 'test.letters-read',
  text: 'SELECT id, text_sealed FROM letters ORDER BY id',
  row: z.object({ id: z.string(), textSealed: z.string() }),
})
const readWraps = queryMany({
  name: 'test.wraps-read',
  text: `
    SELECT DISTINCT w.wrapping_key, w.wrapped, r.purpose, r.state
    FROM wrapped_keys w JOIN key_ring r USING (key_id) ORDER BY 1, 3, 2`,
  row: z.object({ wrappingKey: z.string(), wrapped: z.string(), purpose: z.string(), state: z.string() }),
})

/** A database of a service that seals letters. */
export const openLetters = async (name: string) => {
  const database = await testDatabase(name)
  const log = createLogger({ service: 'test', level: 'silent' })
  const folder = fileURLToPath(new URL('./migrations', import.meta.url))
  await migrate({ url: database.url, folder, log })
  const db = createDb({
    url: database.url,
    name: 'test',
    log,
    clock: createClock(),
    poolSize: 2,
    pipelinedConnections: 1,
  })
  await create(db)
  return {
    db,
    log,
    /** A start of the service's: its key ring. */
    open: (config: KeyConfig, service = 'letters') =>
      testKeyRing(service, { db, databaseUrl: database.url, config, use: USE }),
    add: (rows: readonly Readonly<{ id: string; sealed: string }>[]) =>
      insert(db, { ids: rows.map((row) => row.id), sealed: rows.map((row) => row.sealed) }),
    letters: () => read(db),
    wraps: () => readWraps(db),
    async close() {
      await db.close()
      await database.drop()
    },
  }
}
export type Letters = Awaited<ReturnType<typeof openLetters>>
