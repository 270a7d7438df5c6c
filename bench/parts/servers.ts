import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startNats } from '@causeway/dev-env/infrastructure/nats'
import { startPostgres } from '@causeway/dev-env/infrastructure/postgres'
import type { Measured } from '../measure/proc.ts'

/** PostgreSQL for the contenders: the same program with the same settings as the platform's. */
export type PostgresServer = Readonly<{
  process: Measured
  /** Creates an empty database. @returns its URL */
  createDatabase: (name: string) => Promise<string>
  /** Stops it and starts it again at the same port. */
  restart: () => Promise<void>
  stop: () => Promise<void>
}>

export const startPostgresServer = async (folder: string): Promise<PostgresServer> => {
  // Like the benchmark's own folder: PostgreSQL's unprivileged user may pass through it.
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const options = {
    folder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    password: randomBytes(12).toString('hex'),
  }
  let postgres = await startPostgres(options)
  return {
    process: { name: 'postgres', pid: postgres.pid, counts: 'withChildren' },
    async createDatabase(name) {
      const admin = new pg.Client({ connectionString: postgres.adminUrl })
      await admin.connect()
      await admin.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`)
      await admin.end()
      const url = new URL(postgres.adminUrl)
      url.pathname = `/${name}`
      return url.href
    },
    async restart() {
      const { port } = postgres
      await postgres.stop()
      postgres = await startPostgres({ ...options, port })
    },
    stop: () => postgres.stop(),
  }
}

/** The floors' own PostgreSQL and NATS: the same programs with the same settings as the platform's. */
export type Servers = Readonly<{
  natsPort: number
  processes: readonly Measured[]
  createDatabase: PostgresServer['createDatabase']
  stop: () => Promise<void>
}>

export const startServers = async (folder: string): Promise<Servers> => {
  const postgres = await startPostgresServer(folder)
  const nats = await startNats({
    folder: join(folder, 'nats'),
    logFile: join(folder, 'nats.log'),
    env: process.env,
    config: ({ listen }) => `listen: "${listen}"\nmax_payload: 1MB\n`,
  })
  return {
    natsPort: nats.port,
    processes: [{ name: 'nats', pid: nats.pid }, postgres.process],
    createDatabase: postgres.createDatabase,
    async stop() {
      await Promise.all([postgres.stop(), nats.stop()])
    },
  }
}
