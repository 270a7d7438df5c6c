/** `pnpm ledger:differences [--accept FACT_ID --note TEXT]`: lists the open differences, or accepts one (docs/adr/ledger.md). */
import { createClock, createLogger } from '@causeway/chassis'
import { createDb } from '@causeway/chassis/database'
import { parseArgs } from 'node:util'
import { loadDatabaseUrl } from '../config.ts'
import { acceptDifference, listOpen } from './differences-store.ts'

const SHOWN = 1_000

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { accept: { type: 'string' }, note: { type: 'string' } } })
  const { accept: factId, note = '' } = values
  if (factId !== undefined && note.trim() === '')
    throw new Error('--note is required: say why the difference is right')
  const clock = createClock()
  const db = createDb({
    url: loadDatabaseUrl(),
    name: 'ledger-differences',
    log: createLogger({ service: 'ledger-differences', level: 'warn' }),
    clock,
    poolSize: 1,
    pipelinedConnections: 1,
  })
  try {
    if (factId !== undefined) {
      const accepted = await acceptDifference(db.pooled, { factId, note, now: clock.now() })
      if (accepted === null) throw new Error(`${factId} is not an open difference`)
      process.stdout.write(`Accepted ${factId}\n`)
      return
    }
    for (const { foundAt, service, kind, factId: id, reason } of await listOpen(db.pooled, { limit: SHOWN }))
      process.stdout.write(`${foundAt.toISOString()} ${service} ${kind} ${id}: ${reason}\n`)
  } finally {
    await db.close()
  }
}

try {
  await run()
} catch (error) {
  process.stderr.write(`ledger:differences: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
