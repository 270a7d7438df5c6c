import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@causeway/dev-env/infrastructure/postgres'
import {
  createDatabases,
  DATABASES,
  ownerOf,
  type DatabaseName,
} from '@causeway/dev-env/infrastructure/postgres-databases'
import { Client } from 'pg'
import { createLogger } from '../../packages/chassis/src/log.ts'
import { migrate } from '../../packages/chassis/src/db/migrate.ts'
import { keptFolder, ROOT } from './kept-folder.ts'

const SOURCES = [
  '{services/*,packages/chassis}/{migrations,preparations}/*',
  'packages/chassis/src/db/**/*.ts',
  'packages/dev-env/src/infrastructure/**/*.ts',
  'pnpm-lock.yaml',
  'tests/infrastructure/prepared-data.ts',
]
const PASSWORD = 'prepared'

/**
 * A copy is the same server started again, in which numbers of orders may have been granted before: they would begin
 * after those. Without a run that created the rows they begin at 1, as on a new server.
 */
const forgetRun = async (connectionString: string): Promise<void> => {
  const client = new Client({ connectionString })
  await client.connect()
  await client.query('UPDATE order_numbers SET created_in = NULL')
  await client.end()
}

const prepareDatabases = async (path: string): Promise<void> => {
  const temporary = mkdtempSync(join(tmpdir(), 'causeway-prepared-'))
  chmodSync(temporary, 0o711)
  const folder = join(temporary, 'postgres')
  const log = createLogger({ service: 'test', level: 'silent' })
  const server = await startPostgres({
    folder,
    password: PASSWORD,
    logFile: join(temporary, 'postgres.log'),
    // Each platform copies the log too.
    settings: { min_wal_size: '32MB', max_wal_size: '32MB' },
    durable: false,
  })
  const passwords = Object.fromEntries(DATABASES.map((name) => [name, PASSWORD])) as Record<
    DatabaseName,
    string
  >
  const urls = await createDatabases(server.adminUrl, passwords)
  for (const name of DATABASES)
    await migrate({ url: urls[name], folder: join(ROOT, 'services', ownerOf(name), 'migrations'), log })
  await forgetRun(urls.payments)
  await server.stop()
  execFileSync('cp', ['-a', folder, path])
  rmSync(temporary, { recursive: true })
}

/**
 * Gives the new data folder of a platform migrated databases, as a second start finds them: making them takes 3 s of CPU.
 * All secrets are generated anew, except the administrator's password.
 */
export const prepareData = async (dataDir: string): Promise<void> => {
  const prepared = await keptFolder('prepared-databases', SOURCES, prepareDatabases)
  execFileSync('cp', ['-a', prepared, join(dataDir, 'postgres')])
  const secrets = { postgresAdminPassword: PASSWORD, hasKeyRings: true }
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 })
}
