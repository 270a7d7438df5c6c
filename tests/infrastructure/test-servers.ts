import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNats } from '@causeway/dev-env/infrastructure/nats'
import { startPostgres } from '@causeway/dev-env/infrastructure/postgres'
import { createTemplates } from './database-templates.ts'

/** Bound of jest's workers; each has its own account on the bus. */
const WORKERS = 16

/**
 * One account for each worker isolates their subjects and streams. The user `worker-<n>` may do everything in its
 * account.
 */
const workerAccounts = (password: string): string =>
  Array.from({ length: WORKERS }, (_, index) => `worker-${index + 1}`)
    .map((name) => `  ${name}: { jetstream: enabled, users: [{ user: ${name}, password: "${password}" }] }\n`)
    .join('')

/** The servers that the tests of a run share. */
export type TestServers = Readonly<{
  postgresUrl: string
  /** Address for the user `worker-1`; all users `worker-<n>` have the same password. */
  natsUrl: string
  stop: () => Promise<void>
}>

/** Starts a NATS server for tests, without streams, with its data in `folder`. */
export const startTestBus = (folder: string, password: string) =>
  startNats({
    folder: join(folder, 'nats'),
    logFile: join(folder, 'nats.log'),
    env: process.env,
    config: ({ listen, storeFolder }) =>
      `listen: "${listen}"\nauthorization: { timeout: 60 }\njetstream: { store_dir: "${storeFolder}" }\naccounts: {\n${workerAccounts(password)}}\n`,
  })

export const startTestDatabases = (folder: string, password: string) =>
  startPostgres({
    folder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    password,
    durable: false,
  })

export const natsUrlOf = (port: number, password: string): string =>
  `nats://worker-1:${password}@127.0.0.1:${port}`

/** A folder and a password for servers of tests. */
export const makeServerFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-test-'))
  chmodSync(folder, 0o711)
  return { folder, password: randomBytes(12).toString('hex') }
}

/**
 * Starts one PostgreSQL, with templates of the services' databases, and one NATS server for a run of tests, with their data
 * in a folder that is removed with them.
 */
export const startTestServers = async (): Promise<TestServers> => {
  const { folder, password } = makeServerFolder()
  const [postgres, nats] = await Promise.all([
    startTestDatabases(folder, password),
    startTestBus(folder, password),
  ])
  await createTemplates(postgres.adminUrl)
  return {
    postgresUrl: postgres.adminUrl,
    natsUrl: natsUrlOf(nats.port, password),
    stop: async () => {
      await Promise.all([postgres.stop(), nats.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
