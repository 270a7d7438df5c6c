import { setTimeout as delay } from 'node:timers/promises'
import { claimDue, claimUnnotified } from '../../services/onramp/src/orders/store.ts'
import { measureInTurns, type Contender } from '../measure/rounds.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Measured } from '../measure/proc.ts'
import type { Bench } from '../parts/bench.ts'
import {
  createOnrampDatabase,
  fillPurchases,
  ownOnrampDatabase,
  type Purchases,
} from '../parts/many-purchases.ts'
import { startProduct } from '../parts/product.ts'
import { contenderLines, ratioLines } from '../report.ts'

const TIMERS_PER_SECOND = 20
const LOOK_MS = 50
const EXPLAINED = 50
const BATCH = 50
const HOUR_MS = 3_600_000

const MAKE_DUE = `
  UPDATE onramp_orders o SET extended_at = NULL, extend_at = d.at, due_at = d.at
  FROM (
    SELECT 'onr_' || lpad(n::text, 26, '0') AS id, $2::timestamptz + n * $3::float8 * interval '1 millisecond' AS at
    FROM generate_series(1, $1::int) AS n
  ) AS d WHERE o.id = d.id`
const COUNT_OPEN = `
  SELECT count(*)::int AS open FROM onramp_orders o
  JOIN generate_series(1, $1::int) AS n ON o.id = 'onr_' || lpad(n::text, 26, '0')
  WHERE o.extended_at IS NULL`

/** Extensions that fall due at a constant rate, regardless of the number of waiting orders. */
const timersContender = (name: string, { client }: Purchases, processes: readonly Measured[]): Contender => ({
  name,
  processes,
  run: async (durationMs) => {
    const count = Math.ceil((TIMERS_PER_SECOND * durationMs) / 1_000)
    const startedMs = performance.now()
    await client.query(MAKE_DUE, [count, new Date(), durationMs / count])
    for (;;) {
      const { rows } = await client.query<{ open: number }>(COUNT_OPEN, [count])
      if (rows[0]?.open === 0) return { done: count, seconds: (performance.now() - startedMs) / 1_000 }
      await delay(LOOK_MS)
    }
  },
})

type Plan = { 'Node Type': string; 'Index Name'?: string; Plans?: Plan[] }
type Explained = { Plan: Plan; 'Execution Time': number }
const indicesOf = (plan: Plan): string[] => [
  ...(plan['Index Name'] === undefined ? [] : [plan['Index Name']]),
  ...(plan.Plans ?? []).flatMap(indicesOf),
]
const scansOf = (plan: Plan): boolean => plan['Node Type'] === 'Seq Scan' || (plan.Plans ?? []).some(scansOf)

/** Measures a claim in the database: now nothing is due, in a day a full batch is. Each claim is rolled back. */
const explain = async ({ client }: Purchases, text: string, aheadMs: number): Promise<string> => {
  const timesUs: number[] = []
  const indices = new Set<string>()
  let isScanned = false
  await client.query(`PREPARE claim (timestamptz, integer, timestamptz) AS ${text}`)
  for (let turn = 0; turn < EXPLAINED; turn += 1) {
    const now = new Date(Date.now() + aheadMs)
    const later = new Date(now.getTime() + HOUR_MS)
    await client.query('BEGIN')
    const values = `'${now.toISOString()}', ${BATCH}, '${later.toISOString()}'`
    const { rows } = await client.query<{ 'QUERY PLAN': Explained[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE claim (${values})`,
    )
    await client.query('ROLLBACK')
    const [explained] = rows[0]?.['QUERY PLAN'] ?? []
    if (!explained) throw new Error('PostgreSQL returned no plan')
    timesUs.push(explained['Execution Time'] * 1_000)
    for (const index of indicesOf(explained.Plan)) indices.add(index)
    isScanned ||= scansOf(explained.Plan)
  }
  await client.query('DEALLOCATE claim')
  const { median, low, high } = spreadOf(timesUs)
  const how = isScanned ? 'a scan of the table' : [...indices].sort().join(', ')
  return `${median.toFixed(0)} µs [${low.toFixed(0)} to ${high.toFixed(0)}] by ${how}`
}

const run: Bench['run'] = async (effort, { folder, keep }) => {
  const product = keep(await startProduct(folder))
  const url = await createOnrampDatabase(product, 'onramp_many')
  const replica = await product.platform.startReplica('onramp', { ONRAMP_DATABASE_URL: url })
  const few = keep(await fillPurchases(ownOnrampDatabase(product), effort.fewPurchases))
  const many = keep(await fillPurchases(url, effort.purchases))
  const processes = (pid: number): Measured[] => [{ name: 'onramp', pid }, ...product.processes(['payments'])]
  const nameOf = (count: number) => `${count.toLocaleString('en')} open`
  const contenders = [
    timersContender(nameOf(effort.fewPurchases), few, processes(product.platform.processes.onramp.pid ?? 0)),
    timersContender(nameOf(effort.purchases), many, processes(replica.pid ?? 0)),
  ] as const
  const results = await measureInTurns(contenders, effort)
  const statements: string[] = []
  for (const [{ name }, purchases] of [
    [contenders[0], few],
    [contenders[1], many],
  ] as const)
    statements.push(
      `${name}: a claim when nothing is due ${await explain(purchases, claimDue.text, 0)}`,
      `${name}: a claim of ${BATCH} that are due ${await explain(purchases, claimDue.text, 24 * HOUR_MS)}`,
      `${name}: a claim when no provider is to be polled ${await explain(purchases, claimUnnotified.text, 0)}`,
    )
  return [
    ...contenderLines('timer', results),
    ...ratioLines(results[1], results[0], 'aim 1: flat'),
    ...statements,
  ]
}

export const onrampTimers: Bench = {
  name: 'timers',
  title: `${TIMERS_PER_SECOND} deadlines a second of many open onramp orders against the same of few`,
  run,
}
