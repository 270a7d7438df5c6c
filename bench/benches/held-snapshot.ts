import { statementOf } from '@causeway/chassis/testing'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { loadSecrets } from '../../scripts/platform/secrets.ts'
import { claimUnpublished } from '../../packages/chassis/src/outbox/store.ts'
import { claimDue } from '../../services/webhooks/src/engine/slow-path/store.ts'
import { startReceiver, type Receiver } from '../load/receiver-process.ts'
import { costOf, holdSnapshot, type HeldSnapshot, type StatementCost } from '../measure/held-snapshot.ts'
import { measureInTurns, type Contender } from '../measure/rounds.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Bench, Site } from '../parts/bench.ts'
import { createDestinations } from '../parts/destinations.ts'
import { openOutboxWriter } from '../parts/outbox-writer.ts'
import { startProduct, type Product } from '../parts/product.ts'
import { timeDeliveries } from '../parts/time-deliveries.ts'
import { contenderLines, ratioLines } from '../report.ts'
import { startRival } from '../rivals/contender.ts'
import { openPgBoss } from '../rivals/pg-boss/queue.ts'

/** One of so many destinations refuses every first attempt, so that its events pass through rows that wait. */
const DESTINATIONS = 4
const COMMITS_AT_ONCE = 64
const WITHIN_MS = 300_000
const CLAIMS = 20
const RECENT_MS = 1_000
const LEASE_MS = 5_000

/** Events committed to the outbox, relayed, fanned out, and a quarter of them retried after a second. */
const throughOutbox = async (
  product: Product,
  receiver: Receiver,
  events: number,
  keep: Site['keep'],
): Promise<Contender> => {
  const partnerIds = [
    ...(await createDestinations(product, `${receiver.url}/hooks`, DESTINATIONS - 1)),
    ...(await createDestinations(product, `${receiver.url}/flaky`, 1)),
  ]
  const writer = keep(await openOutboxWriter(product))
  const commitAll = async () => {
    let next = 0
    const commits = async () => {
      while (next < events) {
        const partnerId = partnerIds[next % DESTINATIONS] ?? ''
        next += 1
        await writer.commit(partnerId)
      }
    }
    await Promise.all(Array.from({ length: COMMITS_AT_ONCE }, commits))
  }
  return {
    name: 'product',
    processes: [
      ...product.processes(['payments', 'webhooks']),
      { name: 'receiver', pid: receiver.child.pid },
    ],
    run: () => timeDeliveries(receiver, { events, withinMs: WITHIN_MS }, commitAll),
  }
}

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, options: '-c enable_seqscan=off' })
  await client.connect()
  return client
}

const urlOf = ({ platform }: Product, name: 'payments' | 'webhooks'): string => {
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

type ClaimCosts = Readonly<
  Record<'events' | 'eventsFromBeginning' | 'deliveries' | 'deliveriesFromBeginning', StatementCost>
>

/** What the claims cost when nothing waits: as the platform runs them, and from the beginning of their indexes. */
const openClaims = async (product: Product, keep: Site['keep']) => {
  const [payments, webhooks] = [
    await connect(urlOf(product, 'payments')),
    await connect(urlOf(product, 'webhooks')),
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

/** Contenders' rounds without measuring, in turns, until the snapshots are old enough. */
const churn = async (contenders: readonly Contender[], held: HeldSnapshot, holdMs: number): Promise<void> => {
  while (held.heldMs() < holdMs) for (const contender of contenders) await contender.run(0)
}

const run: Bench['run'] = async (effort, site) => {
  const receiver = await startReceiver()
  site.keep(receiver.child)
  const events = Math.ceil(effort.events / 4)
  const product = site.keep(
    await startProduct(site.folder, {
      PARTNER_RETRY_SCHEDULE: Array.from({ length: 20 }, () => '1s').join(','),
    }),
  )
  const pgBoss = await openPgBoss(site)
  const contenders = [
    await throughOutbox(product, receiver, events, site.keep),
    await startRival(pgBoss, receiver, { events, withinMs: WITHIN_MS }, site.keep),
  ] as const
  const claims = await openClaims(product, site.keep)
  const before = await measureInTurns(contenders, effort)
  const costsBefore = await claims()
  site.keep(await holdSnapshot(urlOf(product, 'payments')))
  site.keep(await holdSnapshot(urlOf(product, 'webhooks')))
  const held = site.keep(await holdSnapshot(pgBoss.storeUrl))
  await churn(contenders, held, effort.holdMs)
  // Over rows that cannot be vacuumed the rival's polling alone takes more than a tenth of a core.
  const [ours, rival] = contenders
  const after = (await measureInTurns([ours, { ...rival, neverRests: true }], effort)).map((result) => ({
    ...result,
    name: `${result.name}, snapshot of ${(effort.holdMs / 60_000).toFixed(1)} min`,
  }))
  const costsAfter = await claims()
  return [
    ...contenderLines('event', [...before, ...after]),
    ...after.flatMap((result, index) => {
      const floor = before[index]
      return floor === undefined
        ? []
        : ratioLines(result, floor, index === 0 ? 'aim at least 0.95' : 'beside it')
    }),
    costLine('events', costsBefore.events, costsAfter.events),
    costLine('events from the beginning', costsBefore.eventsFromBeginning, costsAfter.eventsFromBeginning),
    costLine('deliveries', costsBefore.deliveries, costsAfter.deliveries),
    costLine(
      'deliveries from the beginning',
      costsBefore.deliveriesFromBeginning,
      costsAfter.deliveriesFromBeginning,
    ),
  ]
}

export const heldSnapshot: Bench = {
  name: 'held-snapshot',
  title: 'events through outbox, fan-out and retries while a reader holds a snapshot, with pg-boss beside it',
  run,
}
