import { performance } from 'node:perf_hooks'
import pg from 'pg'

/** A transaction that is left open and keeps every row version that was there when it began. */
export type HeldSnapshot = Readonly<{ heldMs: () => number; stop: () => Promise<void> }>

/** Opens a REPEATABLE READ transaction, reads once, and stays idle in it. */
export const holdSnapshot = async (url: string): Promise<HeldSnapshot> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  await client.query('SELECT count(*) FROM pg_class')
  const beganAtMs = performance.now()
  return { heldMs: () => performance.now() - beganAtMs, stop: () => client.end() }
}

/** Cost of a statement: pages of the cache and microseconds. */
export type StatementCost = Readonly<{ pages: number; us: number }>

type Explained = Readonly<{
  Plan: Readonly<Record<'Shared Hit Blocks' | 'Shared Read Blocks', number>>
  'Execution Time': number
}>

/**
 * Runs a statement, and takes back what it did.
 * @param text with its parameters numbered
 */
export const costOf = async (
  client: pg.Client,
  { text, values }: Readonly<{ text: string; values: readonly unknown[] }>,
): Promise<StatementCost> => {
  await client.query('BEGIN')
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': Explained[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
      [...values],
    )
    const explained = rows[0]?.['QUERY PLAN'][0]
    if (explained === undefined) throw new Error('PostgreSQL returned no plan')
    const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = explained.Plan
    return { pages: hit + read, us: explained['Execution Time'] * 1_000 }
  } finally {
    await client.query('ROLLBACK')
  }
}
