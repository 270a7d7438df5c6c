import { randomBytes } from 'node:crypto'
import { createLogger, newId } from '@causeway/chassis'
import { migrate } from '@causeway/chassis/database'
import { openTestDb } from '@causeway/chassis/testing'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { protectSchemas } from '@causeway/dev-env/infrastructure/protected-schemas'
import { appendRecord, signerRecord } from '../src/record/store.ts'
import { MIGRATIONS } from '../src/service.ts'

const log = createLogger({ service: 'test', level: 'silent' })
const admin = process.env['CAUSEWAY_TEST_POSTGRES_URL'] ?? ''
const RECORDS = 5
const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  closing.push(() => client.end())
  return client
}

/** A database that an ordinary role owns, as the database of every service. */
const ownedDatabase = async () => {
  const name = `signer_${randomBytes(6).toString('hex')}`
  const superuser = await connect(admin)
  await superuser.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`)
  await superuser.query(`CREATE DATABASE ${name} OWNER ${name}`)
  closing.push(async () => {
    await superuser.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await superuser.query(`DROP ROLE ${name}`)
  })
  const [url, adminUrl] = [new URL(admin), new URL(admin)]
  url.pathname = adminUrl.pathname = `/${name}`
  url.username = name
  url.password = 'secret'
  return { url: url.href, adminUrl: adminUrl.href }
}

const openDb = (url: string) => {
  const db = openTestDb(url)
  closing.push(() => db.close())
  return db
}

/** The record with some approvals in it, as the role of the service. */
const openRecord = async (isProtected: boolean) => {
  const { url, adminUrl } = await ownedDatabase()
  if (isProtected) await protectSchemas('signer', adminUrl)
  await migrate({ url, folder: MIGRATIONS, log })
  const db = openDb(url)
  const approve = () =>
    appendRecord(db.pooled, {
      kind: 'approved',
      subject: newId('cryptoOrder'),
      now: new Date(0),
      to_address: 'somewhere',
    })
  await Promise.all(Array.from({ length: RECORDS }, approve))
  return { db, service: await connect(url), approve }
}
type Opened = Awaited<ReturnType<typeof openRecord>>

describe('the role of the signer', () => {
  let opened: Opened
  beforeAll(async () => {
    opened = await openRecord(true)
  })

  test('can append and read, and is not reported as able to rewrite', async () => {
    expect(await signerRecord.verify(opened.db, [])).toMatchObject({ ok: true, head: { sequence: RECORDS } })
    expect(await signerRecord.isRewritable(opened.db)).toBe(false)
  })

  test.each([
    "UPDATE record.records SET record = 'x' WHERE sequence = 1",
    'DELETE FROM record.records WHERE sequence = 1',
    'TRUNCATE record.records',
    "INSERT INTO record.records VALUES (99, 'ord_x', 'approved', '{}', 'x')",
    'UPDATE record.head SET sequence = 0',
    'DROP TABLE record.records',
    'DROP SCHEMA record CASCADE',
    'DROP FUNCTION record.append(text, text, text)',
    'ALTER TABLE record.records OWNER TO CURRENT_USER',
    'ALTER SCHEMA record OWNER TO CURRENT_USER',
    "CREATE OR REPLACE FUNCTION record.append(subject text, kind text, record text) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'",
    'CREATE TRIGGER away BEFORE INSERT ON record.records FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    'GRANT signer_record TO CURRENT_USER',
    'SET ROLE signer_record',
    'ALTER ROLE signer_record LOGIN',
  ])('cannot run: %s', async (statement) => {
    await expect(opened.service.query(statement)).rejects.toMatchObject({ code: '42501' })
    expect(await signerRecord.verify(opened.db, [])).toMatchObject({ ok: true, head: { sequence: RECORDS } })
  })
})

describe('a record that somebody could rewrite', () => {
  test('reveals one changed character, a truncated end (by a kept head) and a record under another subject', async () => {
    const { db, service, approve } = await openRecord(false)
    expect(await signerRecord.isRewritable(db)).toBe(true)
    const whole = await signerRecord.verify(db, [])
    if (!whole.ok) throw new Error(whole.fault)
    await service.query("UPDATE record.records SET subject = 'ord_other' WHERE sequence = 3")
    expect(await signerRecord.verify(db, [])).toEqual({
      ok: false,
      fault: 'record 3 is stored under another subject or kind',
    })
    await service.query("UPDATE record.records SET subject = record::json ->> 'subject' WHERE sequence = 3")
    await service.query(
      "UPDATE record.records SET record = replace(record, 'somewhere', 'elsewhere') WHERE sequence = 2",
    )
    expect(await signerRecord.verify(db, [])).toEqual({
      ok: false,
      fault: 'record 2 or its hash was changed',
    })
    await service.query(
      "UPDATE record.records SET record = replace(record, 'elsewhere', 'somewhere') WHERE sequence = 2",
    )
    await service.query('DELETE FROM record.records WHERE sequence = 5')
    await service.query(
      'UPDATE record.head SET sequence = 4, hash = (SELECT hash FROM record.records WHERE sequence = 4)',
    )
    expect(await signerRecord.verify(db, [])).toMatchObject({ ok: true, head: { sequence: 4 } })
    expect(await signerRecord.verify(db, [whole.head])).toEqual({
      ok: false,
      fault: 'the chain ends with record 4, before the kept head 5',
    })
    await approve()
    expect(await signerRecord.verify(db, [whole.head])).toEqual({
      ok: false,
      fault: 'record 5 differs from the record of the kept head',
    })
  })
})

test('stores the first record as the exact text and with the exact hash that every version has', async () => {
  const { url } = await ownedDatabase()
  await migrate({ url, folder: MIGRATIONS, log })
  const db = openDb(url)
  await appendRecord(db.pooled, {
    kind: 'approved',
    subject: 'ord_1',
    now: new Date(0),
    to_address: 'somewhere',
  })
  expect(await signerRecord.list(db.pooled, { afterSequence: 0, limit: 2 })).toEqual([
    {
      sequence: 1,
      subject: 'ord_1',
      kind: 'approved',
      record:
        '{"kind":"approved","subject":"ord_1","at":"1970-01-01T00:00:00.000Z","to_address":"somewhere"}',
      hash: '0cb2460eea27f7e43c1851829de2568e04b3e4e3d41236a4b0d7e916db8a6e6a',
    },
  ])
})
