import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNats } from '../../scripts/infrastructure/nats.ts'
import { startPostgres } from '../../scripts/infrastructure/postgres.ts'

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

export type TestServers = {
  postgresUrl: string
  /** Password of every `worker-<n>` on the bus. */
  natsUrl: (user: string) => string
  stop: () => Promise<void>
}

/**
 * Starts one PostgreSQL and one NATS server for a run of tests, with their data in a folder that is removed with them.
 */
export const startTestServers = async (): Promise<TestServers> => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-test-'))
  chmodSync(folder, 0o711)
  const password = randomBytes(12).toString('hex')
  const [postgres, nats] = await Promise.all([
    startPostgres({
      folder: join(folder, 'postgres'),
      logFile: join(folder, 'postgres.log'),
      password,
      durable: false,
    }),
    startNats({
      folder: join(folder, 'nats'),
      logFile: join(folder, 'nats.log'),
      env: process.env,
      config: ({ listen, storeFolder }) =>
        `listen: "${listen}"\nauthorization: { timeout: 60 }\njetstream: { store_dir: "${storeFolder}" }\naccounts: {\n${workerAccounts(password)}}\n`,
    }),
  ])
  return {
    postgresUrl: postgres.adminUrl,
    natsUrl: (user) => `nats://${user}:${password}@127.0.0.1:${nats.port}`,
    stop: async () => {
      await Promise.all([postgres.stop(), nats.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
