import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { z } from 'zod'
import {
  createClock,
  createDb,
  createLogger,
  createVault,
  resealColumn,
  statement,
  type Db,
} from '../src/index.ts'
import { testDatabase } from '../src/testing/index.ts'

const ROWS = 1_203
const [root, sealingKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const contextOf = (key: string) => `letter:${key}`
const column = { table: 'letters', key: 'id', column: 'text_sealed', contextOf } as const
const create = statement({
  name: 'test.reseal-create',
  text: 'CREATE TABLE letters (id text COLLATE "C" PRIMARY KEY, text_sealed text NOT NULL)',
})
const insert = statement({
  name: 'test.reseal-insert',
  text: 'INSERT INTO letters SELECT * FROM unnest($1::text[], $2::text[])',
})
const readAll = statement({
  name: 'test.reseal-read',
  text: 'SELECT id, text_sealed FROM letters ORDER BY id',
  row: z.object({ id: z.string(), text_sealed: z.string() }),
})

let db: Db
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await testDatabase('reseal')
  drop = database.drop
  const log = createLogger({ service: 'test', level: 'silent' })
  db = createDb({ url: database.url, name: 'test', log, clock: createClock(), poolSize: 1, lanes: 1 })
  const vault = createVault(root)
  const ids = Array.from({ length: ROWS }, (_, n) => `id-${n}`)
  await db.query(create)
  await db.query(insert, [ids, ids.map((id) => vault.seal(`text of ${id}`, contextOf(id)))])
})
afterAll(async () => {
  await db.close()
  await drop()
})

test('a rotation seals every value with the new key, once, and loses none', async () => {
  const vault = createVault(root, [sealingKey])
  expect(await resealColumn(db, vault, column)).toBe(ROWS)
  const rows = await db.query(readAll)
  const keyIds = new Set(rows.map((row) => row.text_sealed.split('.')[1]))
  expect([...keyIds]).toEqual([vault.sealingKeyId])
  for (const row of rows)
    expect(vault.open(row.text_sealed, contextOf(row.id)).toString()).toBe(`text of ${row.id}`)
  expect(() => createVault(root).open(String(rows[0]?.text_sealed), contextOf('id-0'))).toThrow(/names key/)
  expect(await resealColumn(db, vault, column)).toBe(0)
})

test('two rotations at once seal each value once', async () => {
  const vault = createVault(root, [Buffer.alloc(32, 3), sealingKey])
  const [one, two] = await Promise.all([resealColumn(db, vault, column), resealColumn(db, vault, column)])
  expect(one + two).toBe(ROWS)
})
