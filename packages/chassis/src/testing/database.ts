import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { createClock } from '../clock.ts'
import { createDb, type Db, type DbOptions } from '../db/db.ts'
import { createLogger } from '../log.ts'
import { TEST_TIMEOUT_FACTOR } from './timeouts.ts'

/** The services of whose database the test run's own server has a copy with all migrations. */
const MIGRATED = ['gateway', 'ledger', 'onboarding', 'onramp', 'payments', 'refunds', 'signer', 'webhooks']

/** Runs any SQL on a connection that it closes. @returns the rows */
export const runSql = async <T extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<T[]> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query<T>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** A fresh database on the test run's PostgreSQL; of a service, by its name, a migrated one. */
export const testDatabase = async (name: string): Promise<{ url: string; drop: () => Promise<void> }> => {
  const admin = requiredUrl('CAUSEWAY_TEST_POSTGRES_URL')
  const database = `${name}_${randomBytes(6).toString('hex')}`
  const isCopied = MIGRATED.includes(name) && admin === process.env['CAUSEWAY_TEST_TEMPLATES_URL']
  await runSql(admin, `CREATE DATABASE ${database}${isCopied ? ` TEMPLATE template_${name}` : ''}`)
  const url = new URL(admin)
  url.pathname = `/${database}`
  return {
    url: url.href,
    drop: async () => {
      await runSql(admin, `DROP DATABASE ${database} WITH (FORCE)`)
    },
  }
}

/** Opens a database for a test's own statements. */
export const openTestDb = (
  url: string,
  clock = createClock(),
  options: Partial<Omit<DbOptions, 'url' | 'clock'>> = {},
): Db =>
  createDb({
    url,
    name: 'test',
    log: createLogger({ service: 'test', level: 'silent' }),
    clock,
    poolSize: 4,
    pipelinedConnections: 1,
    timeoutFactor: TEST_TIMEOUT_FACTOR,
    ...options,
  })

/** An address that the set-up of the test run has put into the environment. */
export const requiredUrl = (name: string): string => {
  const url = process.env[name]
  if (url === undefined) throw new Error(`${name} is not set: run the tests with jest’s global set-up`)
  return url
}
