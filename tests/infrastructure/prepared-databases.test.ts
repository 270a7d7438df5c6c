import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { Client } from 'pg'
import { startPostgres } from '@causeway/dev-env/infrastructure/postgres'
import { findProgram } from '@causeway/dev-env/infrastructure/program-path'

const hasPsql = findProgram(['psql'], process.env['PATH'] ?? '') !== null
const folder = mkdtempSync(join(tmpdir(), 'causeway-prepared-'))
// The server's own user reaches it.
chmodSync(folder, 0o711)
const secrets = join(folder, 'secrets')
const PASSWORD = 'padmin'
let server: Awaited<ReturnType<typeof startPostgres>>

beforeAll(async () => {
  execFileSync('sh', ['deploy/make-secrets.sh', secrets])
  rmSync(join(secrets, 'postgres_password'))
  writeFileSync(join(secrets, 'postgres_password'), PASSWORD)
  server = await startPostgres({
    folder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    password: PASSWORD,
    durable: false,
  })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const prepare = () =>
  execFileSync('sh', ['deploy/postgres/create-databases.sh'], {
    stdio: 'pipe',
    env: {
      PATH: process.env['PATH'],
      PGHOST: '127.0.0.1',
      PGPORT: String(server.port),
      POSTGRES_PASSWORD_FILE: join(secrets, 'postgres_password'),
      SECRETS_FOLDER: secrets,
    },
  })
const run = async (user: string, password: string, database: string, text: string) => {
  const client = new Client({ host: '127.0.0.1', port: server.port, user, password, database })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
const asAdmin = (text: string, database = 'postgres') => run('postgres', PASSWORD, database, text)
const asService = (name: string, text: string) =>
  run(name, readFileSync(join(secrets, `${name}_database_password`), 'utf8'), name, text)

const testWithPsql = hasPsql ? test : test.skip

testWithPsql(
  'creates the database that a release adds on an existing server, and keeps the others',
  async () => {
    prepare()
    await asService('payments', 'CREATE TABLE kept AS SELECT 1 AS value')
    // The server of a release without signer and ledger, whose payments had another password.
    for (const name of ['signer', 'ledger']) {
      await asAdmin(`DROP DATABASE ${name}`)
      await asAdmin(`DROP ROLE ${name}`)
    }
    await asAdmin("ALTER ROLE payments PASSWORD 'pformer'")
    prepare()
    prepare()
    expect(await asService('payments', 'SELECT value FROM kept')).toEqual([{ value: 1 }])
    expect(await asService('signer', 'SELECT sequence FROM record.head')).toEqual([{ sequence: '0' }])
    await expect(asService('signer', 'DELETE FROM record.head')).rejects.toThrow('permission denied')
    expect(await asService('ledger', 'SELECT seq FROM books.head')).toEqual([{ seq: '0' }])
    await expect(asService('ledger', 'DELETE FROM books.head')).rejects.toThrow('permission denied')
    await expect(asService('gateway', 'DELETE FROM audit.records')).rejects.toThrow('permission denied')
  },
)
