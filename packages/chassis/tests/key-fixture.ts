import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { createDb, migrate } from '../src/database.ts'
import { createClock, createLogger, queryMany, queryNone, type KeyConfig } from '../src/index.ts'
import { eventually, testDatabase, testKeyRing } from '../src/testing/index.ts'

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

const hideRing = queryNone({
  name: 'test.ring-hide',
  text: `
    WITH wraps AS (DELETE FROM wrapped_keys RETURNING *), moved AS (INSERT INTO hidden_wraps SELECT * FROM wraps),
    keys AS (DELETE FROM key_ring RETURNING *)
    INSERT INTO hidden_ring SELECT * FROM keys`,
})
const showRing = queryNone({
  name: 'test.ring-show',
  text: `
    WITH keys AS (INSERT INTO key_ring SELECT * FROM hidden_ring)
    INSERT INTO wrapped_keys SELECT * FROM hidden_wraps`,
})
const createHidden = queryNone({
  name: 'test.ring-create-hidden',
  text: 'CREATE TABLE hidden_ring (LIKE key_ring)',
})
const createHiddenWraps = queryNone({
  name: 'test.wraps-create-hidden',
  text: 'CREATE TABLE hidden_wraps (LIKE wrapped_keys)',
})
const lockLetters = queryNone({
  name: 'test.letters-lock',
  text: 'LOCK TABLE letters IN ACCESS EXCLUSIVE MODE',
})
const readWaiting = queryMany({
  name: 'test.letters-waiting',
  text: `SELECT pid FROM pg_locks WHERE relation = 'letters'::regclass AND NOT granted`,
  row: z.object({ pid: z.number() }),
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
    /** Starts a service that finds no key ring, and makes the ring appear while it looks for letters. */
    async whileRingIsAbsent<T>(start: () => Promise<T>): Promise<T> {
      await createHidden(db)
      await createHiddenWraps(db)
      await hideRing(db)
      let started: Promise<T> | undefined
      await db.transaction(async (tx) => {
        await lockLetters(tx)
        started = start()
        await eventually(async () => (await readWaiting(tx)).length > 0)
        await showRing(tx)
      })
      return started as Promise<T>
    },
    wraps: () => readWraps(db),
    async close() {
      await db.close()
      await database.drop()
    },
  }
}
export type Letters = Awaited<ReturnType<typeof openLetters>>
