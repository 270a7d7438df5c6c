import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type pg from 'pg'
import { fileURLToPath } from 'node:url'
import type { Logger } from '../log.ts'
import { readDatabaseServers } from '../settings/server-list.ts'
import { createClientClass } from './client.ts'
import { withOtherPassword } from './faults.ts'
import { createPrimaryFinder } from './primary-finder.ts'
import { waitForDatabase } from './wait-for-database.ts'

const CONNECT_TIMEOUT_MS = 10_000
/**
 * Other statements on a table queue behind a migration that waits for its lock. Half of PostgreSQL's `deadlock_timeout`:
 * in a deadlock the migration gives way before the server picks a request as the victim.
 */
const LOCK_TIMEOUT_MS = 500
/** The stores' statements use `RETURNING old.…`, which older servers refuse only when such a statement runs. */
const OLDEST_SERVER = 18
/** One replica prepares and migrates at a time; it is released with the connection. */
const LOCK = 4_127_655_901
const CHASSIS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url))

/** @throws Error for a server that is older than {@link OLDEST_SERVER} */
const checkServer = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ number: string; version: string }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version`,
  )
  if (Number(rows[0]?.number) >= OLDEST_SERVER * 10_000) return
  throw new Error(
    `PostgreSQL ${OLDEST_SERVER} or newer is required, but the server has version ${rows[0]?.version ?? ''}`,
  )
}

/** Names of the migrations that a database has had; none where it has no table of them yet. */
const appliedIn = async (client: pg.Client, table: string): Promise<ReadonlySet<string>> => {
  const { rows: found } = await client.query<{ present: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS present',
    [table],
  )
  if (found[0]?.present !== true) return new Set()
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${table}`)
  return new Set(rows.map(({ name }) => name))
}

const numberOf = (name: string): number => Number.parseInt(name)

/** @throws Error for a database in which another service has made its tables: its first migration is not ours */
const checkOwner = async (
  client: pg.Client,
  applied: ReadonlySet<string>,
  own: readonly string[],
): Promise<void> => {
  const [first] = own.toSorted((a, b) => numberOf(a) - numberOf(b))
  if (applied.size === 0 || first === undefined || applied.has(first)) return
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name')
  throw new Error(`the database ${rows[0]?.name ?? ''} contains the tables of another service`)
}

const isComplete = async (client: pg.Client, folder: string, table: string): Promise<boolean> => {
  const applied = await appliedIn(client, table)
  const own = (await readdir(folder)).map((file) => basename(file, '.sql'))
  await checkOwner(client, applied, own)
  return own.every((name) => applied.has(name))
}

/**
 * Runs what some migrations want done ahead of their transaction, while the version before writes: a bound of a large
 * table is validated without a lock. A preparation that was made is made again in no time.
 */
const prepare = async (client: pg.Client, folder: string, table: string): Promise<void> => {
  const preparations = join(folder, '..', 'preparations')
  const files = await readdir(preparations).catch(() => [])
  const applied = await appliedIn(client, table)
  for (const file of files)
    if (!applied.has(basename(file, '.sql')))
      await client.query(await readFile(join(preparations, file), 'utf8'))
}

const migrateOn = async (client: pg.Client, folder: string, log: Logger): Promise<void> => {
  await checkServer(client)
  for (const [dir, migrationsTable] of [
    [CHASSIS_FOLDER, 'migrations_chassis'],
    [folder, 'migrations'],
  ] as const) {
    if (await isComplete(client, dir, migrationsTable)) continue
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    await prepare(client, dir, migrationsTable)
    const { runner } = await import('node-pg-migrate')
    const applied = await runner({
      dbClient: client,
      dir,
      migrationsTable,
      direction: 'up',
      advisoryLockMode: 'wait',
      checkOrder: true,
      singleTransaction: false,
      log: () => {},
    })
    for (const migration of applied)
      log.info({ event: 'db.migrated', migration: migration.name }, 'Applied a migration')
  }
}

/**
 * Brings a database up to date: chassis' own tables, then the service's folder. Plain SQL, forward only, each file in a
 * transaction, which holds the locks of one change at a time. All under an advisory lock, so that replicas may start
 * together: one migrates, the others wait.
 * Where nothing is missing, which is nearly every start, neither the lock nor the code that migrates is taken: that
 * code holds 2.6 MiB and takes 20 ms of CPU to load.
 *
 * A migration that does not get its locks within half a second lets the others go first and tries again: while it waits,
 * whatever the version before asks of that table waits behind it.
 *
 * @throws what the server says, such as a wrong password
 */
export const migrate = async (options: { url: string; folder: string; log: Logger }): Promise<void> => {
  const { url, servers, passwords } = readDatabaseServers(options.url)
  const config = {
    connectionString: url,
    application_name: 'migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
  }
  const Client = createClientClass(createPrimaryFinder({ servers, passwords: () => passwords }, config))
  const connect = async () => {
    const client = new Client(config)
    // What loses the connection also fails the statement under way; an unhandled event would end the process.
    client.on('error', () => undefined)
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end()
      throw error
    }
  }
  await waitForDatabase(options.log, async () => {
    const client = await withOtherPassword(connect)
    try {
      await migrateOn(client, options.folder, options.log)
    } finally {
      await client.end()
    }
  })
}
