import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger, newId } from '@causeway/chassis'
import { migrate } from '@causeway/chassis/database'
import { openTestDb } from '@causeway/chassis/testing'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { protectSchemas } from '@causeway/dev-env/infrastructure/protected-schemas'
import { appendBeginning, auditLog, listBeginnings, listEnds } from '../../src/audit/store.ts'

/** Folder of the SQL migrations of access. */
const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations')
const log = createLogger({ service: 'test', level: 'silent' })
const admin = process.env['CAUSEWAY_TEST_POSTGRES_URL'] ?? ''
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

/** A database that an ordinary role owns, like the database of every service. */
const ownedDatabase = async () => {
  const name = `gateway_${randomBytes(6).toString('hex')}`
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
  return { name, url: url.href, adminUrl: adminUrl.href }
}

/** The gateway's store, as the role of a service. */
const openStore = (url: string) => {
  const db = openTestDb(url)
  closing.push(() => db.close())
  return db
}
const begin = (db: ReturnType<typeof openStore>, requestId = newId('request')) =>
  appendBeginning(db.pooled, {
    entryId: newId('auditEntry'),
    at: new Date(),
    actor: 'stk_x',
    action: 'gateway.partners.list',
    target: null,
    after: null,
    requestId,
  })

describe('the role of the service', () => {
  let service: pg.Client
  let db: ReturnType<typeof openStore>
  let role: string

  beforeAll(async () => {
    const database = await ownedDatabase()
    role = database.name
    // As in the local start and the containers: the log is created and protected before the gateway first runs.
    await protectSchemas('gateway', database.adminUrl)
    await protectSchemas('gateway', database.adminUrl)
    await migrate({ url: database.url, folder: MIGRATIONS, log })
    service = await connect(database.url)
    db = openStore(database.url)
    await Promise.all(Array.from({ length: 10 }, () => begin(db)))
  })

  test('can append and read, and is not reported as able to rewrite', async () => {
    expect(await auditLog.verify(db, [])).toMatchObject({ ok: true, head: { sequence: 10 } })
    expect(await listBeginnings(db, { sequence: 0, limit: 100 })).toHaveLength(10)
    expect(await auditLog.isRewritable(db)).toBe(false)
  })

  const denied = '42501'
  test.each([
    "UPDATE audit.records SET record = 'x' WHERE sequence = 1",
    'DELETE FROM audit.records WHERE sequence = 1',
    'TRUNCATE audit.records',
    "INSERT INTO audit.records VALUES (99, 'req_x', 'began', '{}', 'x')",
    "COPY audit.records FROM PROGRAM 'true'",
    'UPDATE audit.head SET sequence = 0',
    'SELECT * FROM audit.records FOR UPDATE',
    'DO $$ BEGIN LOCK TABLE audit.records IN ACCESS EXCLUSIVE MODE; END $$',
    'DROP TABLE audit.records',
    'DROP SCHEMA audit CASCADE',
    'DROP FUNCTION audit.append(text, text, text)',
    'ALTER TABLE audit.records ADD COLUMN note text',
    'ALTER TABLE audit.records DISABLE TRIGGER ALL',
    'ALTER TABLE audit.records RENAME TO others',
    'ALTER TABLE audit.records SET SCHEMA public',
    'ALTER TABLE audit.records OWNER TO CURRENT_USER',
    'ALTER SCHEMA audit OWNER TO CURRENT_USER',
    'ALTER SCHEMA audit RENAME TO others',
    'ALTER FUNCTION audit.append(text, text, text) OWNER TO CURRENT_USER',
    "CREATE OR REPLACE FUNCTION audit.append(request_id text, kind text, record text) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'",
    'CREATE TABLE audit.others ()',
    'CREATE TRIGGER away BEFORE INSERT ON audit.records FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    'CREATE RULE away AS ON INSERT TO audit.records DO INSTEAD NOTHING',
    'CREATE INDEX ON audit.records (hash)',
    'CREATE TABLE public.others (sequence bigint REFERENCES audit.records)',
    'GRANT ALL ON audit.records TO CURRENT_USER',
    'GRANT gateway_audit TO CURRENT_USER',
    'SET ROLE gateway_audit',
    'SET SESSION AUTHORIZATION gateway_audit',
    'REASSIGN OWNED BY gateway_audit TO CURRENT_USER',
    'DROP OWNED BY gateway_audit CASCADE',
    'ALTER ROLE gateway_audit LOGIN',
    'DROP ROLE gateway_audit',
    'SET session_replication_role = replica',
    'CREATE EXTENSION file_fdw',
  ])('cannot execute: %s', async (statement) => {
    const outcome = await service.query(statement).then(
      () => 'done',
      (error: unknown) => (error as { code: string }).code,
    )
    // Granting a privilege that the role lacks is a warning, not an error; it must have no effect.
    if (!statement.startsWith('GRANT ALL')) expect(outcome).toBe(denied)
    expect(await auditLog.isRewritable(db)).toBe(false)
    expect(await auditLog.verify(db, [])).toMatchObject({ ok: true, head: { sequence: 10 } })
  })

  test('cannot drop its database or rename it', async () => {
    await expect(service.query(`DROP DATABASE ${role}`)).rejects.toMatchObject({ code: '55006' })
    await expect(service.query(`ALTER DATABASE ${role} RENAME TO others`)).rejects.toMatchObject({
      code: denied,
    })
  })
})

describe('a database from before the chain', () => {
  const old = mkdtempSync(join(tmpdir(), 'causeway-migrations-'))
  afterAll(() => rmSync(old, { recursive: true }))

  test('keeps its entries in order, chains the entries of the previous version, and changes the owner last', async () => {
    for (const file of readdirSync(MIGRATIONS).filter((name) => Number.parseInt(name, 10) < 6))
      cpSync(join(MIGRATIONS, file), join(old, file))
    const database = await ownedDatabase()
    await migrate({ url: database.url, folder: old, log })
    const service = await connect(database.url)
    const insert = `
      INSERT INTO audit_entries (entry_id, at, actor, action, target, before, after, request_id)
      VALUES ($1, $2, 'operator:1', 'gateway.partners.update', 'prt_x', $3, $4, $5)`
    const write = (id: string, at: string, before: unknown, after: unknown) =>
      service.query(insert, [id, at, JSON.stringify(before), JSON.stringify(after), `req_${id}`])
    await write('later', '2026-01-02T00:00:00.007Z', { name: 'a' }, { name: 'ä\u2028' })
    await write('earlier', '2026-01-01T00:00:00Z', null, { outcome: 'started' })

    await migrate({ url: database.url, folder: MIGRATIONS, log })
    const db = openStore(database.url)
    expect(await auditLog.isRewritable(db)).toBe(true)
    await service.query(
      `UPDATE audit_entries SET before = '{"a":1}', after = '{"a":2}' WHERE entry_id = 'earlier'`,
    )
    await write('new', '2026-01-03T00:00:00Z', null, null)
    await protectSchemas('gateway', database.adminUrl)
    await write('newest', '2026-01-04T00:00:00Z', null, null)
    await begin(db)

    const rows = await listBeginnings(db, { sequence: 0, limit: 100 })
    const began = rows.map((row) => JSON.parse(row.began) as Record<string, unknown>)
    expect(began.map((entry) => entry['entry_id']).slice(0, 4)).toEqual(['earlier', 'later', 'new', 'newest'])
    expect(began[1]).toEqual({
      kind: 'began',
      entry_id: 'later',
      at: '2026-01-02T00:00:00.007Z',
      actor: 'operator:1',
      action: 'gateway.partners.update',
      target: 'prt_x',
      before: { name: 'a' },
      after: { name: 'ä\u2028' },
      request_id: 'req_later',
    })
    const [end] = await listEnds(db, { requestIds: [rows[0]?.requestId ?? ''] })
    expect(JSON.parse(end?.ended ?? '')).toMatchObject({ before: { a: 1 }, after: { a: 2 } })
    expect(await auditLog.verify(db, [])).toMatchObject({ ok: true, head: { sequence: 6 } })
    expect(await auditLog.isRewritable(db)).toBe(false)
  })
})
