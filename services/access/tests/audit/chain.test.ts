import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db, Head } from '@causeway/chassis'
import { openTestDb } from '@causeway/chassis/testing'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { exportLog, verifyExport } from '../../src/audit/export-file.ts'
import { auditLog } from '../../src/audit/store.ts'
import { openFixture, type Replica, type Fixture } from '../../../gateway/tests/fixtures/running-gateway.ts'

let fixture: Fixture
let gateway: Replica
let other: Replica
let superuser: pg.Client
let db: Db
const folder = mkdtempSync(join(tmpdir(), 'causeway-audit-'))
let files = 0
const newPath = () => join(folder, `export-${(files += 1)}`)

beforeAll(async () => {
  fixture = await openFixture()
  gateway = await fixture.startReplica()
  other = await fixture.startReplica()
  superuser = new pg.Client({ connectionString: fixture.databaseUrl })
  await superuser.connect()
  db = openTestDb(fixture.databaseUrl, fixture.clock)
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await db.close()
  await superuser.end()
  await fixture.close()
})

const faultOf = async (verification: ReturnType<typeof auditLog.verify>) => {
  const result = await verification
  return result.ok ? null : result.fault
}
/** Returns the fault of an export whose text was changed. */
const faultIn = (text: string | Buffer, kept: Head[] = []) => {
  const path = newPath()
  writeFileSync(path, text)
  return faultOf(verifyExport(path, kept))
}

test('keeps one unbroken chain when staff act simultaneously on several replicas', async () => {
  const acted = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? gateway : other).operate('POST', '/partners', { name: `Partner ${index}` }),
    ),
  )
  const { rows } = await superuser.query<{ request_id: string; kind: string }>(
    'SELECT request_id, kind FROM audit.records ORDER BY sequence',
  )
  for (const { json } of acted)
    expect(rows.filter((row) => row.request_id === json.request_id).map(({ kind }) => kind)).toEqual([
      'began',
      'ended',
    ])
  expect(await auditLog.verify(db, [])).toEqual({
    ok: true,
    head: { sequence: rows.length, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
})

describe('verification of the database', () => {
  /** Returns the fault after a statement of the superuser, whose effect is then undone. */
  const faultAfter = async (change: string, kept: Head[] = []) => {
    await superuser.query('CREATE TEMP TABLE kept_records AS SELECT * FROM audit.records')
    await superuser.query('CREATE TEMP TABLE kept_head AS SELECT * FROM audit.head')
    await superuser.query(change)
    const fault = await faultOf(auditLog.verify(db, kept))
    await superuser.query('TRUNCATE audit.records, audit.head')
    await superuser.query('INSERT INTO audit.records SELECT * FROM kept_records')
    await superuser.query('INSERT INTO audit.head SELECT * FROM kept_head')
    await superuser.query('DROP TABLE kept_records, kept_head')
    return fault
  }
  const rechained = `
    UPDATE audit.records SET hash = encode(sha256(convert_to(
      sequence || E'\\n' || (SELECT hash FROM audit.records AS before WHERE before.sequence = records.sequence - 1)
      || E'\\n' || record, 'UTF8')), 'hex')`

  test.each([
    [
      'a changed byte of a record',
      "UPDATE audit.records SET record = replace(record, 'Partner 1\"', 'Partner 2\"')",
    ],
    [
      'a changed hash',
      "UPDATE audit.records SET hash = translate(left(hash, 1), '0123456789abcdef', '123456789abcdef0') || substr(hash, 2) WHERE sequence = 9",
    ],
    ['a removed record', 'DELETE FROM audit.records WHERE sequence = 9'],
    ['a removed last record', 'DELETE FROM audit.records WHERE sequence = (SELECT sequence FROM audit.head)'],
    [
      'an inserted record',
      "INSERT INTO audit.records SELECT sequence + 1, 'req_x', kind, record, hash FROM audit.records ORDER BY sequence DESC LIMIT 1",
    ],
    [
      'two swapped records',
      'UPDATE audit.records SET record = other.record FROM audit.records AS other WHERE (records.sequence, other.sequence) IN ((9, 10), (10, 9))',
    ],
    [
      'a record filed under another request',
      "UPDATE audit.records SET request_id = 'req_x' WHERE sequence = 9",
    ],
    [
      'a beginning that is marked as an end',
      "UPDATE audit.records SET kind = 'ended', request_id = 'r' WHERE sequence = 1",
    ],
    ['a changed head', "UPDATE audit.head SET hash = repeat('a', 64)"],
    ['the removal of all records', 'TRUNCATE audit.records'],
  ])('finds %s', async (_, change) => {
    expect(await faultAfter(change)).toEqual(expect.any(String))
    expect(await faultOf(auditLog.verify(db, []))).toBeNull()
  })

  test('finds by a kept head that the log was truncated or rewritten', async () => {
    const { rows } = await superuser.query<Head>('SELECT sequence::int, hash FROM audit.head')
    const [head] = rows as [Head]
    const cut = `
      DELETE FROM audit.records WHERE sequence > 20;
      UPDATE audit.head SET (sequence, hash) = (SELECT sequence, hash FROM audit.records WHERE sequence = 20)`
    expect(await faultAfter(cut)).toBeNull()
    expect(await faultAfter(cut, [head])).toMatch(/before the kept head/)
    const last = head.sequence
    const anew = `
      UPDATE audit.records SET record = replace(record, '"began"', '"began" ') WHERE sequence = ${last};
      ${rechained} WHERE sequence = ${last};
      UPDATE audit.head SET hash = (SELECT hash FROM audit.records WHERE sequence = ${last})`
    const changed = anew.replaceAll('"began"', '"ended"')
    expect(await faultAfter(changed)).toBeNull()
    expect(await faultAfter(changed, [head])).toMatch(/differs from the record of the kept head/)
  })
})

describe('verification of an export', () => {
  /** A short chain, so that every byte of it can be tried. */
  const shortExport = async (count: number): Promise<Buffer> => {
    const path = newPath()
    await exportLog(db, path)
    const [format, ...records] = readFileSync(path, 'utf8').split('\n')
    const few = records.slice(0, count)
    const { sequence, hash } = JSON.parse(few.at(-1) ?? '') as Head
    return Buffer.from([format, ...few, JSON.stringify({ head: { sequence, hash } }), ''].join('\n'))
  }

  test('finds every changed byte, and a removed or added one', async () => {
    const whole = await shortExport(1)
    expect(await faultIn(whole)).toBeNull()
    const unnoticed: string[] = []
    for (let at = 0; at < whole.length; at += 1) {
      const flipped = Buffer.from(whole)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
      const removed = Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1)])
      const added = Buffer.concat([whole.subarray(0, at), Buffer.from(' '), whole.subarray(at)])
      const changes = at % 5 === 0 || at > whole.length - 100 ? { flipped, removed, added } : { flipped }
      for (const [change, bytes] of Object.entries(changes))
        if ((await faultIn(bytes)) === null) unnoticed.push(`${change} at ${at}`)
    }
    expect(unnoticed).toEqual([])
    expect(await faultIn(Buffer.concat([whole, Buffer.from('\n')]))).toMatch(/something follows the head/)
  })

  test('finds and locates a removed, repeated or moved record', async () => {
    const lines = (await shortExport(3)).toString().split('\n')
    const [format = '', first = '', second = '', third = '', ...end] = lines
    const faultOfLines = (...changed: string[]) => faultIn([...changed, ...end].join('\n'))
    expect(await faultOfLines(format, first, third)).toBe(
      'line 3: record 2 is missing: it is followed by record 3',
    )
    expect(await faultOfLines(format, second, third)).toBe(
      'line 2: record 1 is missing: it is followed by record 2',
    )
    expect(await faultOfLines(format, first, third, second)).toMatch(/^line 3: /)
    expect(await faultOfLines(format, first, first, second, third)).toMatch(/^line 3: /)
    expect(await faultOfLines(format, first, second)).toMatch(
      /the chain ends with record 2, but its head names 3/,
    )
    expect(await faultIn([format, first, second, third, ''].join('\n'))).toMatch(/ends before its head/)
  })

  test('verifies an export by the command without a database, and reports what is broken', async () => {
    const run = (args: string[], env: Record<string, string> = {}) =>
      new Promise<{ code: number; out: string }>((resolve) => {
        execFile(
          process.execPath,
          ['services/access/src/audit/command.ts', ...args],
          { env },
          (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), out: stdout + stderr }),
        )
      })
    const withDatabase = { GATEWAY_DATABASE_URL: fixture.databaseUrl }
    const path = newPath()
    const exported = await run(['export', path], withDatabase)
    const head = /Head (\d+:[0-9a-f]{64})/.exec(exported.out)?.[1] ?? ''
    expect([exported.code, head]).toEqual([0, expect.stringMatching(/^\d+:/)])
    expect(await run(['verify', path, '--head', head])).toEqual({
      code: 0,
      out: expect.stringContaining(`Head ${head}`),
    })
    await expect(exportLog(db, path)).rejects.toMatchObject({ code: 'EEXIST' })
    writeFileSync(path, readFileSync(path, 'utf8').replace('Partner 7', 'Partner 8'))
    expect(await run(['verify', path])).toEqual({
      code: 1,
      out: expect.stringMatching(/^The audit log is broken: line \d+: record \d+ or its hash was changed\n$/),
    })
    await superuser.query("UPDATE audit.records SET record = replace(record, 'Partner 7', 'Partner 8')")
    expect(await run(['verify'], withDatabase)).toEqual({
      code: 1,
      out: expect.stringMatching(/^The audit log is broken: record \d+ or its hash was changed\n$/),
    })
  })
})
