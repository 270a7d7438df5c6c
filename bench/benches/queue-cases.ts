import { QUEUE_CASES } from '../cases/cases.ts'
import { startLedger } from '../cases/ledger.ts'
import { openPgBossSystem } from '../cases/pg-boss-system.ts'
import { openProduct } from '../cases/product-system.ts'
import { runCase, type Outcome } from '../cases/run-case.ts'
import type { Bench } from '../parts/bench.ts'
import { table } from '../report.ts'

const HEAD = [
  '',
  '',
  'events/s before',
  'of it meanwhile',
  'afterwards',
  'all delivered after s',
  'stored',
  'not within 60 s',
  'delivered again',
]

const rowOf = (name: string, system: string, outcome: Outcome): string[] => [
  name,
  system,
  outcome.baseline.toFixed(0),
  outcome.stress.toFixed(2),
  outcome.recovery.toFixed(2),
  (outcome.settledMs / 1_000).toFixed(1),
  String(outcome.stored),
  String(outcome.missing),
  String(outcome.repeated),
]

const run: Bench['run'] = async ({ caseMs }, site) => {
  const ledger = site.keep(await startLedger())
  const systems = [await openProduct(site, `${ledger.url}/hooks`), await openPgBossSystem(site, ledger.url)]
  const rows: string[][] = []
  for (const queueCase of QUEUE_CASES)
    for (const system of systems)
      rows.push(rowOf(queueCase.name, system.name, await runCase(queueCase, system, ledger, caseMs)))
  return table([HEAD, ...rows])
}

export const queueCases: Bench = {
  name: 'queue-cases',
  title: 'published faults and pressure of PostgreSQL queues, compared with pg-boss',
  run,
}
