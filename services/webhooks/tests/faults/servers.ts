import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNats } from '@causeway/dev-env/infrastructure/nats'
import { startPostgres } from '@causeway/dev-env/infrastructure/postgres'

/** A PostgreSQL and a NATS server of a test's own, which it may crash. */
export type OwnServers = Readonly<{
  postgresUrl: string
  natsUrl: string
  /** Ends every connection and the server without a checkpoint, and starts it again with its data on disk. */
  crashPostgres: () => Promise<void>
  /** Kills it with SIGKILL, and starts it again with its data on disk. */
  crashNats: () => Promise<void>
  stop: () => Promise<void>
}>

export const startOwnServers = async (): Promise<OwnServers> => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-faults-'))
  chmodSync(folder, 0o711)
  const password = randomBytes(12).toString('hex')
  const runPostgres = (port?: number) =>
    startPostgres({
      folder: join(folder, 'postgres'),
      logFile: join(folder, 'postgres.log'),
      password,
      ...(port === undefined ? {} : { port }),
    })
  const runNats = (port?: number) =>
    startNats({
      folder: join(folder, 'nats'),
      logFile: join(folder, 'nats.log'),
      env: process.env,
      config: ({ listen, storeFolder }) =>
        `listen: "${listen}"\njetstream: { store_dir: "${storeFolder}" }\n`,
      ...(port === undefined ? {} : { port }),
    })
  let [postgres, nats] = await Promise.all([runPostgres(), runNats()])
  return {
    postgresUrl: postgres.adminUrl,
    natsUrl: `nats://127.0.0.1:${nats.port}`,
    async crashPostgres() {
      postgres.kill('SIGQUIT')
      await postgres.exited
      postgres = await runPostgres(postgres.port)
    },
    async crashNats() {
      nats.kill('SIGKILL')
      await nats.exited
      nats = await runNats(nats.port)
    },
    async stop() {
      await Promise.all([postgres.stop(), nats.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
