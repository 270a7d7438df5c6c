/** `pnpm ledger:rebuild [--compare]`: posts every fact again, shuffled and twice, into empty books (docs/OPERATIONS.md). */
import { createClock, createLogger, type Db } from '@causeway/chassis'
import { createDb, migrate } from '@causeway/chassis/database'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { loadRebuildUrls } from '../config.ts'
import { verifyBooks } from '../verification/verify.ts'
import { compareBooks, readEnd, rebuildBooks } from './rebuild.ts'
import { hasFactsOf } from './store.ts'

/** It reads all facts. */
const STATEMENT_TIMEOUT_MS = 600_000
const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

const SIGNER = { service: 'signer' }
const MISSING_SIGNER =
  'The books have facts of the signer, which are missing here: set SIGNER_DATABASE_URL to read them\n'

const clock = createClock()
const log = createLogger({ service: 'ledger-rebuild', level: 'warn' })

const open = (url: string): Db =>
  createDb({
    url,
    name: 'ledger-rebuild',
    log,
    clock,
    poolSize: 1,
    pipelinedConnections: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  })

const say = (line: string) => process.stdout.write(`${line}\n`)

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { compare: { type: 'boolean', default: false } } })
  const urls = loadRebuildUrls()
  await migrate({ url: urls.LEDGER_REBUILD_DATABASE_URL, folder: MIGRATIONS, log })
  const [books, rebuilt] = [open(urls.LEDGER_DATABASE_URL), open(urls.LEDGER_REBUILD_DATABASE_URL)]
  const sources = [urls.PAYMENTS_DATABASE_URL, urls.SIGNER_DATABASE_URL].flatMap((url) => url ?? []).map(open)
  try {
    const startedMs = performance.now()
    const end = await readEnd(books.pooled)
    if (urls.SIGNER_DATABASE_URL === undefined && (await hasFactsOf(books.pooled, SIGNER))?.hasFacts === true)
      process.stderr.write(MISSING_SIGNER)
    const posted = await rebuildBooks(
      { sources: sources.map(({ pooled }) => pooled), books: books.pooled },
      { db: rebuilt, clock },
    )
    const seconds = (performance.now() - startedMs) / 1_000
    say(
      `${posted} facts, adjustments, reserves and payouts posted twice in ${seconds.toFixed(1)} s (${Math.round(posted / seconds)}/s)`,
    )
    const faults = await verifyBooks(rebuilt.pooled, clock.now())
    if (values.compare) faults.push(...(await compareBooks(books.pooled, rebuilt.pooled, end)))
    for (const fault of faults) process.stderr.write(`${fault}\n`)
    if (values.compare) say(faults.length === 0 ? 'The books are identical' : 'The books differ')
    if (faults.length > 0) process.exitCode = 1
  } finally {
    await Promise.all([books, rebuilt, ...sources].map((each) => each.close()))
  }
}

try {
  await run()
} catch (error) {
  process.stderr.write(`ledger:rebuild: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
