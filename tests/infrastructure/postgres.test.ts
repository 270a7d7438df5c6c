import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client } from 'pg'
import {
  createDatabases,
  DATABASES,
  type DatabaseName,
} from '@causeway/dev-env/infrastructure/postgres-databases'
import { postgresOnPath } from '@causeway/dev-env/infrastructure/postgres-binaries'
import { startPostgres } from '@causeway/dev-env/infrastructure/postgres'
import { startTestServers, type TestServers } from './test-servers.ts'

const connectCode = async (url: string): Promise<string> => {
  const client = new Client({ connectionString: url })
  try {
    await client.connect()
    return 'connected'
  } catch (error) {
    return (error as { code: string }).code
  } finally {
    await client.end()
  }
}

const at = (url: string, database: string): string => {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

const INSUFFICIENT_PRIVILEGE = '42501'
const INVALID_PASSWORD = '28P01'

const passwords = Object.fromEntries(
  DATABASES.map((name) => [name, randomBytes(8).toString('hex')]),
) as Record<DatabaseName, string>

describe('PostgreSQL for the platform', () => {
  let servers: TestServers
  let urls: Record<DatabaseName, string>

  beforeAll(async () => {
    servers = await startTestServers()
    urls = await createDatabases(servers.postgresUrl, passwords)
  })
  afterAll(() => servers.stop())

  test.each(DATABASES)('lets the role %s connect to its own database and no other', async (name) => {
    const everywhere = [...DATABASES, 'postgres', 'template1']
    const answers = await Promise.all(everywhere.map((database) => connectCode(at(urls[name], database))))
    const expected = everywhere.map((database) => (database === name ? 'connected' : INSUFFICIENT_PRIVILEGE))
    expect(answers).toEqual(expected)
  })

  test('refuses a wrong password', async () => {
    const url = new URL(urls.payments)
    url.password = 'wrong'
    expect(await connectCode(url.href)).toBe(INVALID_PASSWORD)
  })

  test('lets a role create tables in its own database', async () => {
    const client = new Client({ connectionString: urls.payments })
    await client.connect()
    await client.query('CREATE TABLE kept (id integer)')
    await client.end()
    await createDatabases(servers.postgresUrl, passwords)
    const again = new Client({ connectionString: urls.payments })
    await again.connect()
    expect((await again.query('SELECT count(*)::int AS rows FROM kept')).rows).toEqual([{ rows: 0 }])
    await again.end()
  })

  test('stores text in UTF-8 and compares it by code point', async () => {
    const client = new Client({ connectionString: servers.postgresUrl })
    await client.connect()
    const { rows } = await client.query(
      "SELECT current_setting('server_encoding') AS encoding, upper('é') AS upper, 'Z' < 'a' AS ordered",
    )
    await client.end()
    expect(rows).toEqual([{ encoding: 'UTF8', upper: 'É', ordered: true }])
  })
})

describe('PostgreSQL in a folder that others may not enter', () => {
  const closed = mkdtempSync(join(tmpdir(), 'causeway-closed-'))
  const options = {
    folder: join(closed, 'postgres'),
    logFile: join(closed, 'log'),
    password: 'secret',
    durable: false,
  }
  afterAll(() => rmSync(closed, { recursive: true }))

  test('starts, for root too, and finds its data again', async () => {
    const first = await startPostgres(options)
    await createDatabases(first.adminUrl, passwords)
    await first.stop()
    const second = await startPostgres(options)
    const url = new URL(at(second.adminUrl, 'payments'))
    url.username = 'payments'
    url.password = passwords.payments
    expect(await connectCode(url.href)).toBe('connected')
    await second.stop()
  })

  test('leaves nothing running when it starts and cannot be reached', async () => {
    await (await startPostgres(options)).stop()
    await expect(startPostgres({ ...options, password: 'another' })).rejects.toMatchObject({
      code: INVALID_PASSWORD,
    })
    expect(existsSync(join(options.folder, 'postmaster.pid'))).toBe(false)
  })

  test('reports why it cannot be created', async () => {
    writeFileSync(join(closed, 'file'), '')
    await expect(startPostgres({ ...options, folder: join(closed, 'file', 'postgres') })).rejects.toThrow(
      /ENOTDIR/,
    )
  })
})

test('uses the programs of the first folder on PATH that has both, on a platform without a package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-path-'))
  const [one, both] = [join(folder, 'one'), join(folder, 'both')]
  for (const path of [one, both]) mkdirSync(path)
  for (const path of [join(one, 'initdb'), join(both, 'initdb'), join(both, 'postgres')])
    writeFileSync(path, '', { mode: 0o755 })
  expect(postgresOnPath(one)).toBeNull()
  expect(postgresOnPath(`${one}:${both}`)).toEqual({
    initdb: join(both, 'initdb'),
    postgres: join(both, 'postgres'),
  })
  rmSync(folder, { recursive: true })
})
