import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from './free-port.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { type PostgresBinaries, postgresBinaries } from './postgres-binaries.ts'
import { type Unprivileged, unprivilegedUser } from './unprivileged.ts'

const ADMIN = 'postgres'
const READY_TIMEOUT_MS = 60_000
const READY_POLL_MS = 25

export type PostgresOptions = {
  /** Folder of the cluster; created on first use. */
  folder: string
  /** Password of the superuser `postgres`; used when the cluster is created. */
  password: string
  logFile: string
  /** Default: a free port. */
  port?: number
  /** Further settings of the server. */
  settings?: Readonly<Record<string, string>>
  /** False for tests only: a crash of the machine may then lose data. */
  durable?: boolean
}

export type Postgres = ServerProcess & { port: number; adminUrl: string }

const initialise = async (
  binaries: PostgresBinaries,
  user: Unprivileged,
  options: PostgresOptions,
): Promise<void> => {
  const passwordFile = `${options.folder}.password`
  mkdirSync(options.folder, { mode: 0o700 })
  user.own(options.folder)
  writeFileSync(passwordFile, options.password, { mode: 0o600 })
  user.own(passwordFile)
  const locale = ['--encoding=UTF8', '--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = ['--auth=scram-sha-256', `--username=${ADMIN}`, `--pwfile=${passwordFile}`]
  const durability = options.durable === false ? ['--no-sync'] : []
  const launch = user.launch(binaries.initdb, [
    `--pgdata=${options.folder}`,
    ...locale,
    ...access,
    ...durability,
  ])
  try {
    await promisify(execFile)(launch.command, launch.args, { cwd: '/', ...launch.identity })
  } catch (error) {
    // The next start would take an incomplete cluster for a complete one.
    rmSync(options.folder, { recursive: true, force: true })
    const said = String((error as { stderr?: unknown }).stderr ?? error).trimEnd()
    throw new Error(`PostgreSQL cannot make its data folder ${options.folder}: ${said}`, { cause: error })
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

const serverSettings = (
  port: number,
  durable: boolean,
  further: Readonly<Record<string, string>> = {},
): string[] => {
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    jit: 'off',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    fsync: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    ...further,
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

const isReady = async (adminUrl: string): Promise<boolean> => {
  const client = new Client({ connectionString: adminUrl, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    const stillStarting =
      ['ECONNREFUSED', 'ECONNRESET', '57P03'].includes(code ?? '') ||
      /terminated|timeout expired/.test(message)
    if (stillStarting) return false
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

const lastLines = (logFile: string): string =>
  existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-5).join('\n') : ''

/**
 * Starts PostgreSQL on 127.0.0.1 with the cluster in `folder` and waits until it answers.
 *
 * @throws Error with the end of the server's log when it does not come up
 */
export const startPostgres = async (options: PostgresOptions): Promise<Postgres> => {
  const binaries = postgresBinaries()
  const user = unprivilegedUser(options.folder, [options.folder, binaries.postgres])
  if (!existsSync(join(options.folder, 'PG_VERSION'))) await initialise(binaries, user, options)
  const port = options.port ?? (await freePort())
  const launch = user.launch(binaries.postgres, [
    '-D',
    options.folder,
    ...serverSettings(port, options.durable !== false, options.settings),
  ])
  const server = await startServerProcess({ ...launch, logFile: options.logFile, stopSignal: 'INT' })
  const adminUrl = `postgres://${ADMIN}:${encodeURIComponent(options.password)}@127.0.0.1:${port}/postgres`
  const giveUpAt = Date.now() + READY_TIMEOUT_MS
  try {
    while (!(await isReady(adminUrl))) {
      if (!server.running() || Date.now() > giveUpAt)
        throw new Error(
          `PostgreSQL does not start. Its log (${options.logFile}) ends:\n${lastLines(options.logFile)}`,
        )
      await delay(READY_POLL_MS)
    }
  } catch (error) {
    await server.stop()
    throw error
  }
  return { ...server, port, adminUrl }
}
