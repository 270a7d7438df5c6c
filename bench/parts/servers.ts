import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { startNats } from '../../scripts/infrastructure/nats.ts'
import { startPostgres } from '../../scripts/infrastructure/postgres.ts'
import type { Measured } from '../measure/proc.ts'

/** The floors' own PostgreSQL and NATS: the same programs with the same settings as the platform's. */
export type Servers = Readonly<{
  natsPort: number
  processes: readonly Measured[]
  /** Makes an empty database and gives its address. */
  createDatabase: (name: string) => Promise<string>
  stop: () => Promise<void>
}>

export const startServers = async (folder: string): Promise<Servers> => {
  const postgres = await startPostgres({
    folder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    password: randomBytes(12).toString('hex'),
  })
  const nats = await startNats({
    folder: join(folder, 'nats'),
    logFile: join(folder, 'nats.log'),
    env: process.env,
    config: ({ listen }) => `listen: "${listen}"\nmax_payload: 1MB\n`,
  })
  return {
    natsPort: nats.port,
    processes: [
      { name: 'nats', pid: nats.pid },
      { name: 'postgres', pid: postgres.pid, counts: 'withChildren' },
    ],
    async createDatabase(name) {
      const admin = new pg.Client({ connectionString: postgres.adminUrl })
      await admin.connect()
      await admin.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`)
      await admin.end()
      const url = new URL(postgres.adminUrl)
      url.pathname = `/${name}`
      return url.href
    },
    async stop() {
      await Promise.all([postgres.stop(), nats.stop()])
    },
  }
}
