import { statementOf } from '@causeway/chassis/testing'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { claimUnpublished } from '../../packages/chassis/src/outbox/store.ts'
import { loadSecrets } from '@causeway/dev-env/platform/secrets'
import { claimDue } from '../../services/webhooks/src/engine/slow-path/store.ts'
import { costOf, type StatementCost } from '../measure/held-snapshot.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Site } from './bench.ts'
import type { Product } from './product.ts'

const CLAIMS = 20
const RECENT_MS = 1_000
const LEASE_MS = 5_000

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, options: '-c enable_seqscan=off' })
  await client.connect()
  return client
}

/** The database of this service, as the service has it. */
export const storeUrlOf = ({ platform }: Product, name: 'payments' | 'webhooks'): string => {
  const { postgresPasswords } = loadSecrets(join(platform.dataDir, 'secrets.json'))
  return `postgres://${name}:${postgresPasswords[name]}@127.0.0.1:${platform.postgres?.port ?? 0}/${name}`
}

const medianCost = async (ask: () => Promise<StatementCost>): Promise<StatementCost> => {
  const costs: StatementCost[] = []
  while (costs.length < CLAIMS) costs.push(await ask())
  return {
    pages: spreadOf(costs.map(({ pages }) => pages)).median,
    us: spreadOf(costs.map(({ us }) => us)).median,
  }
}

export type ClaimCosts = Readonly<
  Record<'events' | 'eventsFromBeginning' | 'deliveries' | 'deliveriesFromBeginning', StatementCost>
>

/** Costs of the claims when nothing waits: as the platform runs them, and from the beginning of their indexes. */
export const openClaims = async (product: Product, keep: Site['keep']) => {
  const [payments, webhooks] = [
    await connect(storeUrlOf(product, 'payments')),
    await connect(storeUrlOf(product, 'webhooks')),
  ]
  keep({ stop: () => payments.end() })
  keep({ stop: () => webhooks.end() })
  const events = async (afterSeq: number) => {
    const now = new Date()
    // As the replica that has the lease: others read nothing.
    const { rows } = await payments.query<{ holder: string }>('SELECT holder FROM outbox_relay')
    const holder = rows[0]?.holder ?? ''
    const claim = { holder, now, leaseUntil: new Date(now.getTime() + LEASE_MS), afterSeq, limit: 256 }
    return costOf(payments, await statementOf((db) => claimUnpublished(db, claim)))
  }
  const deliveries = async (destinationId: string, fromMs: number) => {
    const nowMs = Date.now()
    const claim = {
      priorities: [1],
      destinationIds: [destinationId],
      counts: [64],
      leaseEndsMs: [nowMs],
      fromsMs: [fromMs],
      nowMs,
      leaseId: randomUUID(),
    }
    return costOf(webhooks, await statementOf((db) => claimDue(db, claim)))
  }
  return async (): Promise<ClaimCosts> => {
    const last = await payments.query<{ seq: string }>('SELECT max(seq) AS seq FROM outbox_events')
    const flaky = await webhooks.query<{ id: string }>("SELECT id FROM destinations WHERE url LIKE '%/flaky'")
    const id = flaky.rows[0]?.id ?? ''
    return {
      events: await medianCost(() => events(Number(last.rows[0]?.seq))),
      eventsFromBeginning: await medianCost(() => events(0)),
      deliveries: await medianCost(() => deliveries(id, Date.now() - RECENT_MS)),
      deliveriesFromBeginning: await medianCost(() => deliveries(id, 0)),
    }
  }
}

const costLine = (name: string, before: StatementCost, after: StatementCost): string =>
  `a claim of ${name}: ${before.pages} pages and ${before.us.toFixed(0)} µs before, ${after.pages} pages and ${after.us.toFixed(0)} µs with the snapshot: ${(after.us / before.us).toFixed(2)} of the time`

/** @param costs before the snapshot, and with it */
export const claimCostLines = ([before, held]: readonly ClaimCosts[]): string[] =>
  before === undefined || held === undefined
    ? []
    : [
        costLine('events', before.events, held.events),
        costLine('events from the beginning', before.eventsFromBeginning, held.eventsFromBeginning),
        costLine('deliveries', before.deliveries, held.deliveries),
        costLine(
          'deliveries from the beginning',
          before.deliveriesFromBeginning,
          held.deliveriesFromBeginning,
        ),
      ]
