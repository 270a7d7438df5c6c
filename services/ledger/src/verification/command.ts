/** `pnpm ledger:verify [--at TIME]`: verifies the books and prints the trial balance (docs/adr/ledger.md). */
import { createClock, createLogger } from '@causeway/chassis'
import { createDb } from '@causeway/chassis/database'
import { parseArgs } from 'node:util'
import { loadDatabaseUrl } from '../config.ts'
import { verifySeals } from '../seals/verify.ts'
import { findWritableTables } from './store.ts'
import { getTrialBalance, verifyBooks } from './verify.ts'

/** It reads the whole books. */
const STATEMENT_TIMEOUT_MS = 600_000

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { at: { type: 'string' } } })
  const clock = createClock()
  const at = values.at === undefined ? clock.now() : new Date(values.at)
  if (Number.isNaN(at.getTime()))
    throw new Error(`--at: ${values.at} is not a time. Write it as 2026-11-25T00:00:00Z`)
  const db = createDb({
    url: loadDatabaseUrl(),
    name: 'ledger-verify',
    log: createLogger({ service: 'ledger-verify', level: 'warn' }),
    clock,
    poolSize: 1,
    pipelinedConnections: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  })
  try {
    for (const { unit, debits, credits, difference, accounts } of await getTrialBalance(db.pooled, at)) {
      process.stdout.write(`${unit}: debits ${debits}, credits ${credits}, difference ${difference}\n`)
      for (const { account, class: accountClass, balance } of accounts)
        process.stdout.write(`  ${account} (${accountClass}): ${balance}\n`)
    }
    const faults = [...(await verifyBooks(db.pooled, clock.now())), ...(await verifySeals(db.pooled))]
    for (const fault of faults) process.stderr.write(`${fault}\n`)
    for (const { subject, fault } of await findWritableTables(db.pooled))
      process.stderr.write(`Warning: books.${subject} ${fault}. Run deploy/postgres/protect-books.sql\n`)
    process.stdout.write(faults.length === 0 ? 'The books are right\n' : 'The books are wrong\n')
    if (faults.length > 0) process.exitCode = 1
  } finally {
    await db.close()
  }
}

try {
  await run()
} catch (error) {
  process.stderr.write(`ledger:verify: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
