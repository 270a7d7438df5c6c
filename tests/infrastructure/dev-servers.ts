import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { createTemplates, migrationsDigest } from './database-templates.ts'
import {
  makeServerFolder,
  natsUrlOf,
  startTestBus,
  startTestDatabases,
  type TestServers,
} from './test-servers.ts'

/** Names the port of the servers that `pnpm dev:servers` lends. */
const FILE = join(import.meta.dirname, '../../node_modules/.cache/dev-servers.json')

type Addresses = Pick<TestServers, 'postgresUrl' | 'natsUrl'>

/** Drops what the runs before have left, and all templates if a migration was changed. */
const cleanDatabases = async (adminUrl: string, areTemplatesCurrent: boolean): Promise<void> => {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    const { rows } = await admin.query<{ name: string; is_template: boolean }>(
      `SELECT datname AS name, datistemplate AS is_template FROM pg_database
       WHERE datname NOT IN ('postgres', 'template0', 'template1')`,
    )
    for (const { name, is_template: isTemplate } of rows) {
      if (isTemplate && areTemplatesCurrent) continue
      const database = pg.escapeIdentifier(name)
      if (isTemplate) await admin.query(`ALTER DATABASE ${database} IS_TEMPLATE false`)
      await admin.query(`DROP DATABASE ${database} WITH (FORCE)`)
    }
  } finally {
    await admin.end()
  }
}

/** Starts the servers of tests and keeps them. They are given clean: databases are dropped and the bus is started anew. */
const keepServers = async () => {
  const { folder, password } = makeServerFolder()
  const postgres = await startTestDatabases(folder, password)
  let digest = migrationsDigest()
  await createTemplates(postgres.adminUrl)
  let bus = await startTestBus(folder, password)
  return {
    async clean(): Promise<Addresses> {
      const now = migrationsDigest()
      await cleanDatabases(postgres.adminUrl, now === digest)
      if (now !== digest) await createTemplates(postgres.adminUrl)
      digest = now
      await bus.stop()
      rmSync(join(folder, 'nats'), { recursive: true, force: true })
      bus = await startTestBus(folder, password)
      return { postgresUrl: postgres.adminUrl, natsUrl: natsUrlOf(bus.port, password) }
    },
    async stop() {
      await Promise.all([postgres.stop(), bus.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Keeps PostgreSQL and NATS for tests, and lends them to one run at a time: a run claims them by connecting and has them
 * until it disconnects. Another run gets the answer null meanwhile, and starts its own.
 *
 * @returns how to stop
 */
export const lendServers = async (file = FILE): Promise<() => Promise<void>> => {
  const servers = await keepServers()
  let borrower: Socket | null = null
  const lend = async (socket: Socket): Promise<void> => {
    // A run that is killed resets its connection, which also closes it.
    socket.on('error', () => undefined)
    if (borrower !== null) return void socket.end('null\n')
    borrower = socket
    const closed = once(socket, 'close')
    try {
      socket.write(`${JSON.stringify(await servers.clean())}\n`)
      await closed
    } catch (error) {
      socket.end(`${JSON.stringify({ error: String(error) })}\n`)
    } finally {
      borrower = null
    }
  }
  const server = createServer((socket) => void lend(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ port: (server.address() as AddressInfo).port }))
  return async () => {
    rmSync(file, { force: true })
    server.close()
    borrower?.destroy()
    await servers.stop()
  }
}

/**
 * Claims the servers of `pnpm dev:servers`; null if it does not run, or another run has them.
 * @throws Error when they could not be cleaned
 */
export const borrowServers = async (file = FILE): Promise<TestServers | null> => {
  let port: number
  try {
    port = (JSON.parse(readFileSync(file, 'utf8')) as { port: number }).port
  } catch {
    return null
  }
  const socket = connect(port, '127.0.0.1')
  const line = await new Promise<string>((resolve) => {
    createInterface({ input: socket }).once('line', resolve)
    socket.on('error', () => resolve('null'))
    socket.once('close', () => resolve('null'))
  })
  const addresses = JSON.parse(line) as Addresses | { error: string } | null
  if (addresses === null) return null
  if ('error' in addresses) throw new Error(`pnpm dev:servers: ${addresses.error}`)
  return {
    ...addresses,
    stop: () => {
      socket.destroy()
      return Promise.resolve()
    },
  }
}
