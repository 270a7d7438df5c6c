import { startPostgres } from '@causeway/dev-env/infrastructure/postgres'
import pg from 'pg'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fillService, type ServiceLists, type TimedStatement } from '../lists/filling.ts'
import { onboardingLists } from '../lists/onboarding.ts'
import { gatewayLists, onrampLists, refundsLists } from '../lists/others.ts'
import { paymentsLists } from '../lists/payments.ts'
import { webhooksLists } from '../lists/webhooks.ts'
import { quantile } from '../measure/statistics.ts'
import type { Bench, Effort } from '../parts/bench.ts'

/** Calls of each statement: the first ones count too, when the rows are on the disk and plans are new. */
const CALLS = 200

const CLOSING_MS = 50

const random = (most: number): number => 1 + Math.floor(Math.random() * most)

const timesOf = async (db: Parameters<TimedStatement['run']>[0], { run }: TimedStatement, calls: number) => {
  const timesMs: number[] = []
  for (let call = 0; call < calls; call += 1) {
    const begunMs = performance.now()
    await run(db, random)
    timesMs.push(performance.now() - begunMs)
  }
  return timesMs.sort((a, b) => a - b)
}

/** Once its last connection is gone, which ends a moment after its client. */
const dropDatabase = async (admin: pg.Client, name: string): Promise<void> => {
  const connected = async () => {
    const { rowCount } = await admin.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])
    return rowCount !== 0
  }
  while (await connected()) await delay(CLOSING_MS)
  await admin.query(`DROP DATABASE ${name}`)
}

const servicesOf = ({ listed, orders, deliveries, fillingMs }: Effort): ServiceLists[] => [
  gatewayLists(listed),
  onboardingLists(listed),
  paymentsLists(listed, orders / 2),
  refundsLists(listed),
  onrampLists(listed),
  webhooksLists(deliveries, fillingMs),
]

/** One service after the other, each in a database that is dropped again: together they would not fit the disk. */
const run: Bench['run'] = async (effort, { folder, keep }) => {
  const postgres = keep(
    await startPostgres({
      folder: join(folder, 'postgres'),
      logFile: join(folder, 'postgres.log'),
      password: randomBytes(12).toString('hex'),
      durable: false,
    }),
  )
  const admin = new pg.Client({ connectionString: postgres.adminUrl })
  await admin.connect()
  keep({ stop: () => admin.end() })
  const lines: string[] = []
  const slowest: number[] = []
  for (const lists of servicesOf(effort)) {
    const url = new URL(postgres.adminUrl)
    url.pathname = `/${lists.service}`
    await admin.query(`CREATE DATABASE ${lists.service}`)
    await fillService(url.href, lists, async (db, filled) => {
      if (lists.more !== undefined) lines.push(`${filled.toLocaleString('en')} deliveries were made`)
      for (const statement of lists.statements(filled)) {
        const timesMs = await timesOf(db, statement, effort.quick ? 3 : CALLS).catch((error: unknown) => {
          throw new Error(`${lists.service}: ${statement.name}\n${lines.join('\n')}`, { cause: error })
        })
        const [p50, p99] = [quantile(timesMs, 0.5), quantile(timesMs, 0.99)]
        slowest.push(p99)
        lines.push(`${lists.service}: ${statement.name}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`)
      }
    })
    await dropDatabase(admin, lists.service)
  }
  return [...lines, `the slowest p99: ${Math.max(...slowest).toFixed(1)} ms (aim below 50)`]
}

export const lists: Bench = {
  name: 'lists',
  title: 'statements that list and search, through their stores, among millions of rows',
  run,
}
