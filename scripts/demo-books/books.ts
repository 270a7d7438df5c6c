import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { settingsOfService } from '@causeway/dev-env/platform/local-service'
import type { DatabaseName } from '@causeway/dev-env/infrastructure/postgres-databases'

const TIMEOUT_MS = 5_000
const REBUILD = fileURLToPath(new URL('../ledger-rebuild.ts', import.meta.url))

/** Debits and credits of one unit, in its smallest part. */
export type UnitSums = Readonly<{ unit: string; transfers: string; debits: string; credits: string }>

/** Sums of the books, and how many facts payments keeps, the ledger posted and the ledger refused. */
export type BooksState = Readonly<{
  units: readonly UnitSums[]
  facts: number
  posted: number
  parked: number
}>

const UNITS = `
  SELECT unit, (count(*) / 2)::text AS transfers, sum(debit)::text AS debits, sum(credit)::text AS credits
  FROM (
    SELECT a.unit, t.amount AS debit, 0 AS credit FROM books.transfers t JOIN books.accounts a ON a.id = t.debit
    UNION ALL
    SELECT a.unit, 0, t.amount FROM books.transfers t JOIN books.accounts a ON a.id = t.credit
  ) AS sides GROUP BY unit ORDER BY unit`
const POSTED = `
  SELECT (SELECT count(*) FROM received_facts)::int AS posted, (SELECT count(*) FROM parked_events)::int AS parked`

/**
 * Reads the books and the facts straight from the databases, so that they are seen while the ledger does not run.
 * @param env settings of the platform, with its DATA_DIR
 * @throws while PostgreSQL does not run
 */
export const readBooks = async (env: NodeJS.ProcessEnv): Promise<BooksState> => {
  const ask = async <Row extends object>(database: DatabaseName, text: string): Promise<readonly Row[]> => {
    const url = settingsOfService(database, env)?.[`${database.toUpperCase()}_DATABASE_URL`]
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    })
    // A broken connection fails the query, too.
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  // The ledger first: everything that is posted has its fact.
  const [counts] = await ask<{ posted: number; parked: number }>('ledger', POSTED)
  const units = await ask<UnitSums>('ledger', UNITS)
  const [source] = await ask<{ facts: number }>('payments', 'SELECT count(*)::int AS facts FROM ledger_facts')
  return { units, facts: source?.facts ?? 0, posted: counts?.posted ?? 0, parked: counts?.parked ?? 0 }
}

/**
 * Runs `pnpm ledger:rebuild --compare` on the platform whose DATA_DIR is in `env`.
 * @returns what it printed, and whether it found the books to be identical
 */
export const compareRebuiltBooks = async (
  env: NodeJS.ProcessEnv,
): Promise<Readonly<{ isIdentical: boolean; lines: readonly string[] }>> => {
  const command = spawn(process.execPath, [REBUILD, '--compare'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed: string[] = []
  for (const stream of [command.stdout, command.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => printed.push(text))
  }
  const [code] = (await once(command, 'close')) as [number | null]
  const lines = printed
    .join('')
    .split('\n')
    .filter((line) => line !== '')
  return { isIdentical: code === 0, lines }
}
