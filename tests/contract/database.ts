import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { DATABASES, type DatabaseName } from '@causeway/dev-env/infrastructure/postgres-databases'
import type { TestPlatform } from '../journeys/platform.ts'

/** Tables that background jobs write to, and counters that make other replicas refresh their caches. */
const BACKGROUND_TABLES = [
  'outbox_relay',
  'outbox_unpublished',
  'outbox_published',
  'registry',
  'destination_revision',
  'disabled_partner_set',
  'disabled_partners',
  'chain_feed',
  // Steps of order numbers, whose clock is noted every few seconds.
  'order_numbers',
  'reconciliation_runs',
  'fact_comparisons',
  'pgmigrations',
]

/**
 * A row `t` of a table as text. A session's last use is left out: every request of its browser may record it, also one
 * that is refused.
 */
export const rowTextOf = (table: string): string =>
  table === 'sessions' ? "(to_jsonb(t) - 'last_seen_at')::text" : 't::text'

/** Rows by `database.table`, each as text. */
export type Rows = ReadonlyMap<string, readonly string[]>

/** Reads the platform's databases as superuser. */
export const openDatabases = async (platform: TestPlatform) => {
  const secrets = JSON.parse(readFileSync(join(platform.dataDir, 'secrets.json'), 'utf8')) as {
    postgresAdminPassword: string
  }
  const pidFile = readFileSync(join(platform.dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  const port = Number(pidFile.split('\n')[3])
  const urlOf = (database: DatabaseName): string =>
    `postgresql://postgres:${encodeURIComponent(secrets.postgresAdminPassword)}@127.0.0.1:${port}/${database}`
  const clients = new Map<DatabaseName, Client>()
  for (const database of DATABASES) {
    const client = new Client({ connectionString: urlOf(database) })
    // A broken connection fails its next query. Without a listener it would end this process.
    client.on('error', () => undefined)
    await client.connect()
    clients.set(database, client)
  }

  const tablesOf = async (client: Client): Promise<string[]> => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
    )
    return rows.map(({ name }) => name).filter((name) => !BACKGROUND_TABLES.includes(name))
  }

  return {
    urlOf,
    query: (database: DatabaseName, text: string, values: unknown[]) =>
      clients.get(database)?.query(text, values),
    /**
     * All rows, or those that contain one of these texts.
     * @param excludedTables tables that the tested requests may write to
     */
    rows: async (
      excludedTables: readonly string[],
      mentioning: readonly string[] | null = null,
    ): Promise<Rows> => {
      const found = new Map<string, readonly string[]>()
      for (const [database, client] of clients)
        for (const table of await tablesOf(client)) {
          if (excludedTables.includes(table)) continue
          const { rows } = await client.query<{ row: string }>(
            `SELECT ${rowTextOf(table)} AS row FROM "${table}" t
             WHERE $1::text[] IS NULL OR t::text LIKE ANY ($1) ORDER BY 1`,
            [mentioning?.map((text) => `%${text}%`) ?? null],
          )
          found.set(
            `${database}.${table}`,
            rows.map(({ row }) => row),
          )
        }
      return found
    },
    close: async () => {
      await Promise.all([...clients.values()].map((client) => client.end()))
    },
  }
}
export type Databases = Awaited<ReturnType<typeof openDatabases>>

/** The rows that were deleted and inserted, by table. */
export const differenceOf = (before: Rows, after: Rows): Record<string, { gone: string[]; come: string[] }> =>
  Object.fromEntries(
    [...new Set([...before.keys(), ...after.keys()])].flatMap((table) => {
      const [was, is] = [new Set(before.get(table)), new Set(after.get(table))]
      const gone = [...was].filter((row) => !is.has(row))
      const come = [...is].filter((row) => !was.has(row))
      return gone.length + come.length === 0 ? [] : [[table, { gone, come }]]
    }),
  )
