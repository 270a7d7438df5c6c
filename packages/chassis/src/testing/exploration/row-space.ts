import type { DomainEvent } from '@causeway/contracts'
import pg from 'pg'
import type { Transaction } from '../../db/db.ts'
import { clientConfig } from '../../db/connection.ts'
import { migrate } from '../../db/migrate.ts'
import { parseRows, type Queryable } from '../../db/statement.ts'
import { createLogger } from '../../log.ts'
import { appendEvents, assertOwned } from '../../outbox/append.ts'
import { testDatabase } from '../database.ts'

/** A response: a value, or the error to throw. */
export type Answer = Readonly<{ value: unknown } | { error: Error }>

/** A table whose rows are part of a state, in the order of `orderBy`; without the columns that a state leaves out. */
export type ExploredTable = Readonly<{ name: string; orderBy?: string; without?: readonly string[] }>

/** The rows of every explored table, columns as PostgreSQL's JSON has them. */
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** A statement that a mutant runs with another text. */
export type StatementMutant = Readonly<{ statement: string; from: string; to: string }>

export type RowSpace = Readonly<{
  /** The number of the rows that the migrations and the seed leave. */
  initial: number
  rowsOf: (number: number) => Rows
  /** Runs work as one transaction on a state's rows; `key` names the work, which is run once for each state. */
  run: (
    number: number,
    key: string,
    work: (tx: Transaction) => Promise<unknown>,
    mutant?: StatementMutant,
  ) => Promise<Readonly<{ rows: number; answer: Answer }>>
  /** How many transactions PostgreSQL has run. */
  runs: () => number
  close: () => Promise<void>
}>

const TIMEOUT_MS = 60_000

/** SQL: loads the rows of a state, and reads those of the next. */
const functionsFor = async (client: pg.Client, tables: readonly ExploredTable[]): Promise<string> => {
  const loads: string[] = []
  const reads: string[] = []
  for (const { name, orderBy, without = [] } of tables) {
    const { rows } = await client.query<{ column: string }>(
      `SELECT quote_ident(attname) AS column FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attname <> ALL ($2)
       ORDER BY attnum`,
      [name, without],
    )
    const columns = rows.map(({ column }) => column).join(', ')
    loads.push(`INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
      SELECT ${columns} FROM jsonb_populate_recordset(NULL::${name}, $1->'${name}');`)
    const left = `(to_jsonb(t) - '{${without.join(',')}}'::text[])`
    reads.push(`'${name}', (SELECT coalesce(jsonb_agg(${left} ORDER BY ${orderBy ?? `${left}::text`}), '[]')
      FROM ${name} t)`)
  }
  return `
    CREATE FUNCTION exploration_load(jsonb) RETURNS void LANGUAGE plpgsql AS $$ BEGIN ${loads.join('\n')} END $$;
    CREATE FUNCTION exploration_read() RETURNS text LANGUAGE plpgsql AS $$ BEGIN
      RETURN jsonb_build_object(${reads.join(',\n')})::text; END $$;`
}

/** @throws Error when the statement no longer has the text that the mutant replaces */
const mutated = (text: string, { statement, from, to }: StatementMutant): string => {
  if (!text.includes(from)) throw new Error(`${statement} has no "${from}"`)
  return text.replace(from, to)
}

/** Integrity constraints (SQLSTATE class 23) are part of the rules; any other fault is one of the exploration. */
const isExpected = (error: unknown): boolean => String((error as { code?: unknown }).code).startsWith('23')

const isRefusal = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { ok?: unknown }).ok === false

/** Opens a separate database with the service's tables, and one session on it. */
const openDatabase = async (
  { name, migrations }: Readonly<{ name: string; migrations: string }>,
  tables: readonly ExploredTable[],
) => {
  const database = await testDatabase(`explore_${name}`)
  const log = createLogger({ service: 'test', level: 'silent' })
  await migrate({ url: database.url, folder: migrations, log })
  const bounds = {
    statementTimeoutMs: TIMEOUT_MS,
    lockTimeoutMs: TIMEOUT_MS,
    connectTimeoutMs: TIMEOUT_MS,
  }
  const client = new pg.Client(clientConfig({ url: database.url, name: 'exploration', ...bounds }))
  await client.connect()
  await client.query(await functionsFor(client, tables))
  const close = async () => {
    await client.end()
    await database.drop()
  }
  return { client, close }
}

/** Numbers for rows, as the text that PostgreSQL reads them in. */
const createNumbers = () => {
  const numbers = new Map<string, number>()
  const texts: string[] = []
  const parsed: Rows[] = []
  return {
    numberOf: (text: string): number => {
      const known = numbers.get(text)
      if (known !== undefined) return known
      numbers.set(text, texts.length)
      parsed.push(JSON.parse(text) as Rows)
      return texts.push(text) - 1
    },
    textOf: (number: number) => texts[number] as string,
    rowsOf: (number: number) => parsed[number] as Rows,
  }
}

/**
 * A service's tables as values: a state of an exploration has the number of its rows, and the service's own statements
 * run on them in a real PostgreSQL, in a transaction that is rolled back to them.
 * @param service its name, and the folder of its migrations
 * @param seed SQL of the rows that every exploration begins with, besides what the migrations leave
 */
export const createRowSpace = async (
  service: Readonly<{ name: string; migrations: string }>,
  tables: readonly ExploredTable[],
  seed = '',
): Promise<RowSpace> => {
  const { client, close } = await openDatabase(service, tables)
  const numbers = createNumbers()
  const read = async (): Promise<string> => {
    const { rows } = await client.query<{ state: string }>('SELECT exploration_read() AS state')
    return rows[0]?.state ?? ''
  }

  /** Runs work as `db.transaction` does: a refusal undoes it, its events are appended at its end. */
  const runIn = async (work: (tx: Transaction) => Promise<unknown>, mutant?: StatementMutant) => {
    const events: DomainEvent[] = []
    const queryable: Queryable = {
      async query(declared, values) {
        const text = mutant?.statement === declared.name ? mutated(declared.text, mutant) : declared.text
        const query = { text, values: declared.bind(values), rowMode: 'array' as const }
        return parseRows(declared, await client.query<unknown[]>(query))
      },
    }
    const value = await work({
      ...queryable,
      emit(event) {
        assertOwned(service.name, event)
        events.push(event)
      },
    })
    if (events.length > 0 && !isRefusal(value)) await appendEvents(queryable, events)
    return value
  }

  await client.query(seed)
  const initial = numbers.numberOf(await read())
  for (const { name } of tables.toReversed()) await client.query(`DELETE FROM ${name}`)

  /** Has the rows of a state in the open transaction, at its savepoint: every work on them begins there. */
  let loaded: number | null = null
  const load = async (number: number) => {
    if (loaded === number) return
    loaded = null
    await client.query('ROLLBACK')
    await client.query('BEGIN')
    await client.query('SELECT exploration_load($1)', [numbers.textOf(number)])
    await client.query('SAVEPOINT state')
    loaded = number
  }

  let runs = 0
  const runOnce = async (
    number: number,
    work: (tx: Transaction) => Promise<unknown>,
    mutant?: StatementMutant,
  ) => {
    runs += 1
    await load(number)
    try {
      const value = await runIn(work, mutant)
      return { rows: isRefusal(value) ? number : numbers.numberOf(await read()), answer: { value } }
    } catch (error) {
      if (!isExpected(error)) throw error
      return { rows: number, answer: { error: error as Error } }
    } finally {
      await client.query('ROLLBACK TO SAVEPOINT state')
    }
  }

  const known = new Map<string, ReturnType<typeof runOnce>>()
  return {
    initial,
    rowsOf: numbers.rowsOf,
    run(number, key, work, mutant) {
      const whole = `${number} ${mutant?.statement ?? ''} ${mutant?.to ?? ''} ${key}`
      const run = known.get(whole) ?? runOnce(number, work, mutant)
      known.set(whole, run)
      return run
    },
    runs: () => runs,
    close,
  }
}
