import { createClock, createLogger } from '@causeway/chassis'
import { createDb, migrate } from '@causeway/chassis/database'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { pageOfQuery, NEWEST_ENTRY_FIRST } from '../../services/ledger/src/balance-entries/entries.ts'
import { listEntries } from '../../services/ledger/src/balance-entries/store.ts'
import { postReceived, readFact } from '../../services/ledger/src/posting/post-facts.ts'
import { rebuildBooks } from '../../services/ledger/src/rebuild/rebuild.ts'
import { runCheckpoint } from '../../services/ledger/src/verification/jobs/verify-books.ts'
import { readTrialBalance } from '../../services/ledger/src/verification/store.ts'
import { booksScript, booksSetUp, FLOOR_RELATIONSHIPS } from '../floors/books-rows.ts'
import { prepareWriteFloor } from '../floors/write.ts'
import { measureInTurns, type Contender } from '../measure/rounds.ts'
import { quantile } from '../measure/statistics.ts'
import type { Bench, Effort } from '../parts/bench.ts'
import { paymentOf } from '../parts/card-payment-fact.ts'
import { BUSY, fillEntries, recordedAt } from '../parts/many-entries.ts'
import { startServers, type Servers } from '../parts/servers.ts'
import { contenderLines, ratioLines } from '../report.ts'

const MIGRATIONS = fileURLToPath(new URL('../../services/ledger/migrations', import.meta.url))
const log = createLogger({ service: 'bench', level: 'silent' })
/** Facts that the consumer of events posts together. */
const BATCH = 256
/** A batch takes 50 ms and more. */
const LEAST_DURATION_MS = 1_000
const PAGES = 200
const TRIAL_BALANCES = 5

const openBooks = async (servers: Servers, name: string) => {
  const url = await servers.createDatabase(name)
  await migrate({ url, folder: MIGRATIONS, log })
  const db = createDb({
    ...{ url, name: 'bench', log, clock: createClock(), poolSize: 2, pipelinedConnections: 1 },
    // Statements that are slower than a request's timeout are measured too.
    statementTimeoutMs: 120_000,
  })
  return { url, db, stop: () => db.close() }
}
type Books = Awaited<ReturnType<typeof openBooks>>

/** Posts batches of payments, one after the other, as the consumer of events does. */
const postingContender = (name: string, { db }: Books, servers: Servers, processors: number): Contender => {
  let next = 1
  return {
    name,
    processes: [...servers.processes, { name: 'ledger', pid: process.pid }],
    run: async (durationMs) => {
      const startedMs = performance.now()
      let done = 0
      while (performance.now() - startedMs < durationMs) {
        const facts = Array.from({ length: BATCH }, (_, at) => paymentOf(next + at, processors))
        const received = facts.map((fact, at) => readFact(fact, next + at))
        const { posted } = await postReceived({ db, clock: createClock() }, received, false)
        if (posted !== BATCH) throw new Error(`${posted} of ${BATCH} payments were posted`)
        next += BATCH
        done += BATCH
      }
      return { done, seconds: (performance.now() - startedMs) / 1_000 }
    },
  }
}

/** Makes the floor count payments: pgbench counts batches. */
const inPayments = (floor: Contender): Contender => ({
  ...floor,
  run: async (durationMs) => {
    const { done, seconds } = await floor.run(durationMs)
    return { done: done * BATCH, seconds }
  },
})

/** Returns the size of the books and their indexes on disk, without scheduled releases, which are deleted when posted. */
const sizeLine = async ({ url }: Books): Promise<string> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ bytes: number; transfers: number }>(`
      SELECT sum(pg_total_relation_size(oid))::float8 AS bytes, (SELECT count(*)::int FROM books.transfers) AS transfers
      FROM pg_class WHERE relkind = 'r' AND (
        relnamespace = 'books'::regnamespace AND relname IN ('journal', 'transfers', 'entries', 'balances', 'accounts')
        OR relname = 'received_facts')`)
    const [{ bytes, transfers } = { bytes: 0, transfers: 1 }] = rows
    return `on disk: ${(bytes / transfers).toFixed(0)} bytes a transfer, receipts included (aim at most 500)`
  } finally {
    await client.end()
  }
}

const timesOf = async (count: number, once: (turn: number) => Promise<unknown>): Promise<string> => {
  const timesMs: number[] = []
  for (let turn = 0; turn < count; turn += 1) {
    const startedMs = performance.now()
    await once(turn)
    timesMs.push(performance.now() - startedMs)
  }
  timesMs.sort((a, b) => a - b)
  const [p50, p99] = [quantile(timesMs, 0.5), quantile(timesMs, 0.99)].map((ms) => ms.toFixed(1))
  return `p50 ${p50} ms, p99 ${p99} ms`
}

/** Times reads of books with many entries. */
const readingLines = async (books: Books, { orders: entries }: Effort): Promise<string[]> => {
  await fillEntries(books.url, entries)
  const { db } = books
  while (await runCheckpoint(books));
  const page = await timesOf(PAGES, (turn) => {
    const seq = String(Math.ceil((entries * (PAGES - turn)) / PAGES))
    const from = { ...NEWEST_ENTRY_FIRST.start, seq }
    return listEntries(db, { ...BUSY, ...pageOfQuery({ limit: 100, before: null }, from) })
  })
  // Just before a checkpoint: as many postings as possible are added to the one before it.
  const trialBalance = await timesOf(TRIAL_BALANCES, async (turn) => {
    const at = recordedAt(Math.ceil((entries * (turn + 1)) / TRIAL_BALANCES) - 1)
    const sums = await readTrialBalance(db.pooled, { at })
    if (sums.length < 2) throw new Error('The trial balance lists too few accounts')
  })
  const among = `among ${entries.toLocaleString('en')}`
  return [
    `a page of 100 entries ${among}: ${page} (aim p99 below 50 ms)`,
    `the trial balance ${among} transfers: ${trialBalance} (aim below 1,000 ms)`,
  ]
}

/** Times `pnpm ledger:rebuild`: every fact is read from its source and posted twice, in random order. */
const rebuildLine = async (source: Books, into: Books, { events: facts }: Effort): Promise<string> => {
  const client = new pg.Client({ connectionString: source.url })
  await client.connect()
  const payments = Array.from({ length: facts }, (_, at) => paymentOf(at + 1, 1))
  await client.query(
    'INSERT INTO ledger_facts (fact_id, seq, fact) SELECT id, seq, fact FROM unnest($1::text[], $2::jsonb[]) WITH ORDINALITY AS f (id, fact, seq)',
    [payments.map((fact) => fact.fact_id), payments.map((fact) => JSON.stringify(fact))],
  )
  await client.end()
  const startedMs = performance.now()
  const rebuilt = await rebuildBooks(
    { sources: [source.db.pooled], books: source.db.pooled },
    { db: into.db, clock: createClock() },
  )
  const perSecond = (rebuilt * 1_000) / (performance.now() - startedMs)
  return `rebuild of ${rebuilt.toLocaleString('en')} facts: ${perSecond.toFixed(0)} facts/s, each posted twice (aim 50,000)`
}

const run: Bench['run'] = async (effort, { folder, keep }) => {
  const plan = { ...effort, durationMs: Math.max(effort.durationMs, LEAST_DURATION_MS) }
  const servers = keep(await startServers(folder))
  const floor = await prepareWriteFloor(servers, {
    ...{ folder, name: 'books_floor', migrations: MIGRATIONS },
    ...{ setUp: booksSetUp, script: booksScript(BATCH) },
  })
  const [one, many] = [keep(await openBooks(servers, 'one')), keep(await openBooks(servers, 'many'))]
  const contenders = [
    postingContender('one processor', one, servers, 1),
    postingContender('10,000 processors', many, servers, FLOOR_RELATIONSHIPS),
  ] as const
  const reading = async () => [
    await sizeLine(one),
    await rebuildLine(
      keep(await openBooks(servers, 'facts')),
      keep(await openBooks(servers, 'rebuilt')),
      effort,
    ),
    ...(await readingLines(keep(await openBooks(servers, 'reading')), effort)),
  ]
  if (floor === null) {
    const results = await measureInTurns(contenders, plan)
    return [
      ...contenderLines('payment', results),
      ...ratioLines(results[0], results[1], 'aim 0.95'),
      'No ratio: pgbench is not on PATH. It comes with the server of PostgreSQL (Debian: postgresql-15)',
      ...(await reading()),
    ]
  }
  const results = await measureInTurns([inPayments(floor(1)), ...contenders], plan)
  const [bare, hot, spread] = results
  return [
    ...contenderLines('payment', results),
    ...ratioLines(hot, bare, 'aim 0.6'),
    ...ratioLines(hot, spread, 'aim 0.95'),
    ...(await reading()),
  ]
}

export const ledger: Bench = {
  name: 'ledger',
  title: `card payments posted in batches of ${BATCH} against pgbench with the same rows, a rebuild, and reads of many entries`,
  run,
}
