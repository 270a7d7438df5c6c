import { loadSecrets } from '@causeway/dev-env/platform/secrets'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { steadily } from '../load/steadily.ts'
import { quantile, spreadOf } from '../measure/statistics.ts'
import type { Bench } from '../parts/bench.ts'
import { paymentOf } from '../parts/card-payment-fact.ts'
import { newDomainEvent } from '../parts/domain-event.ts'
import { openOutboxWriter } from '../parts/outbox-writer.ts'
import { startProduct, type Product } from '../parts/product.ts'

const PER_SECOND = 200
const LOOK_EVERY_MS = 4
const WITHIN_MS = 60_000

/** Sees when a payment's posting can be read, by looking every few milliseconds. */
const openWatcher = async ({ platform }: Product) => {
  const { postgresPasswords } = loadSecrets(join(platform.dataDir, 'secrets.json'))
  const client = new pg.Client({
    connectionString: `postgres://ledger:${postgresPasswords.ledger}@127.0.0.1:${platform.postgres?.port ?? 0}/ledger`,
  })
  await client.connect()
  let seq = '0'
  const look = async (seen: (orderKey: string) => void): Promise<void> => {
    const { rows } = await client.query<{ seq: string; order_key: string }>({
      name: 'postings',
      text: 'SELECT seq, order_key FROM books.journal WHERE seq > $1 ORDER BY seq',
      values: [seq],
    })
    seq = rows.at(-1)?.seq ?? seq
    for (const row of rows) seen(row.order_key)
  }
  return { look, stop: () => client.end() }
}

/** Latency counts from just before the commit of a fact, one transaction each, until its posting can be read. */
const run: Bench['run'] = async (effort, { folder, keep }) => {
  const product = keep(await startProduct(folder))
  const writer = keep(await openOutboxWriter(product))
  const watcher = keep(await openWatcher(product))
  const partnerId = product.platform.partner?.partnerId ?? ''
  let next = 1

  const round = async (durationMs: number): Promise<number[]> => {
    const begunMs = new Map<string, number>()
    const agesMs: number[] = []
    const commit = async (): Promise<void> => {
      const fact = paymentOf((next += 1), 1)
      begunMs.set(String(next), performance.now())
      await writer.commitEvent({
        ...newDomainEvent(partnerId),
        name: 'payment.confirmed',
        ledger_facts: [fact],
      })
    }
    let total = Number.POSITIVE_INFINITY
    const committing = steadily({ perSecond: PER_SECOND, durationMs }, commit).then((made) => {
      total = made
    })
    const untilMs = performance.now() + durationMs + WITHIN_MS
    while (agesMs.length < total) {
      await watcher.look((orderKey) => {
        const sinceMs = begunMs.get(orderKey)
        if (sinceMs !== undefined) agesMs.push(performance.now() - sinceMs)
      })
      if (performance.now() > untilMs)
        throw new Error(`Of ${begunMs.size} facts ${agesMs.length} were posted`)
      await delay(LOOK_EVERY_MS)
    }
    await committing
    return agesMs.toSorted((a, b) => a - b)
  }

  await round(effort.warmUpMs)
  const rounds: number[][] = []
  for (let done = 0; done < effort.rounds; done += 1) rounds.push(await round(effort.durationMs))
  const shown = (q: number): string => {
    const { median, low, high } = spreadOf(rounds.map((agesMs) => quantile(agesMs, q)))
    return `${median.toFixed(0)} ms [${low.toFixed(0)} to ${high.toFixed(0)}]`
  }
  return [`${PER_SECOND} facts/s: p50 ${shown(0.5)}, p99 ${shown(0.99)} (aim p99 below 100 ms)`]
}

export const ledgerLatency: Bench = {
  name: 'ledger-latency',
  title: 'from the commit of a payment’s fact until its posting can be read',
  run,
}
