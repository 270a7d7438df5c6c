import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import type pg from 'pg'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../log.ts'
import { readDatabaseServers } from '../settings/server-list.ts'
import { createClientClass } from './client.ts'
import { isAway } from './faults.ts'
import { createPrimaryFinder } from './primary-finder.ts'

const CONNECT_TIMEOUT_MS = 10_000
/** Whoever wants a table waits behind a migration that waits for its lock. */
const LOCK_TIMEOUT_MS = 2_000
const RETRY_MS = 250
const LOG_EVERY_MS = 5_000
const CHASSIS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url))

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
  throw new Error(`the database ${rows[0]?.name ?? ''} holds the tables of another service`)
}

const isComplete = async (client: pg.Client, folder: string, table: string): Promise<boolean> => {
  const applied = await appliedIn(client, table)
  const own = (await readdir(folder)).map((file) => basename(file, '.sql'))
  await checkOwner(client, applied, own)
  return own.every((name) => applied.has(name))
}

const migrateOn = async (client: pg.Client, folder: string, log: Logger): Promise<void> => {
  for (const [dir, migrationsTable] of [
    [CHASSIS_FOLDER, 'migrations_chassis'],
    [folder, 'migrations'],
  ] as const) {
    if (await isComplete(client, dir, migrationsTable)) continue
    const { runner } = await import('node-pg-migrate')
    const applied = await runner({
      dbClient: client,
      dir,
      migrationsTable,
      direction: 'up',
      advisoryLockMode: 'wait',
      checkOrder: true,
      singleTransaction: true,
      log: () => {},
    })
    for (const migration of applied)
      log.info({ event: 'db.migrated', migration: migration.name }, 'Applied a migration')
  }
}

/** SQLSTATE 55P03, lock_not_available: everything was rolled back. */
const isLocked = (error: unknown): boolean => (error as { code?: unknown }).code === '55P03'

/** Logs what a migration waits for, at most every five seconds. */
const createWaitLog = (log: Logger) => {
  let loggedAtMs = Number.NEGATIVE_INFINITY
  return (error: unknown) => {
    if (performance.now() - loggedAtMs < LOG_EVERY_MS) return
    loggedAtMs = performance.now()
    if (isLocked(error))
      log.warn({ event: 'db.locked', error }, 'A migration waits for a lock; others go first')
    else log.warn({ event: 'db.waiting', error }, 'The database is away; this process waits for it')
  }
}

/**
 * Brings a database up to date: chassis' own tables, then the service's folder. Plain SQL, forward only, all in
 * one transaction under an advisory lock, so that replicas may start together: one migrates, the others wait.
 * Where nothing is missing, which is nearly every start, neither the lock nor the code that migrates is taken: that
 * code holds 2.6 MiB and takes 20 ms of CPU to load.
 *
 * A migration that does not get its locks within two seconds lets the others go first and tries again: while it waits,
 * whatever the version before asks of that table waits behind it.
 *
 * A database that is away, or goes away meanwhile, is waited for without end: a process that exited would come back
 * later than the database does.
 *
 * @throws what the server says, such as a wrong password
 */
export const migrate = async (options: { url: string; folder: string; log: Logger }): Promise<void> => {
  const { url, servers } = readDatabaseServers(options.url)
  const config = {
    connectionString: url,
    application_name: 'migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
  }
  const Client = createClientClass(createPrimaryFinder(servers, config))
  const waiting = createWaitLog(options.log)
  for (;;) {
    const client = new Client(config)
    // What loses the connection also fails the statement under way; an unhandled event would end the process.
    client.on('error', () => undefined)
    try {
      await client.connect()
      await migrateOn(client, options.folder, options.log)
      return
    } catch (error) {
      if (!isAway(error) && !isLocked(error)) throw error
      waiting(error)
      await sleep(RETRY_MS)
    } finally {
      await client.end()
    }
  }
}
