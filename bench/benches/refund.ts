import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createRawClient } from '@causeway/dev-env/platform/raw-client'
import { freePort } from '@causeway/dev-env/infrastructure/free-port'
import { loadSecrets } from '@causeway/dev-env/platform/secrets'
import { refundScript, refundSetUp } from '../floors/refund-rows.ts'
import { prepareWriteFloor } from '../floors/write.ts'
import { startDelayLine } from '../load/delay-line-process.ts'
import { startGenerator, type Generator } from '../load/generator-process.ts'
import { freshName, NUMBER_MARKER, rawRequest } from '../load/requests.ts'
import { watchConnections, type HeldConnections } from '../measure/held-connections.ts'
import { measureInTurns, type Contender } from '../measure/rounds.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Bench, Effort, Site } from '../parts/bench.ts'
import { createCardOrders, withEach } from '../parts/card-orders.ts'
import { comparedLines, startCompared } from '../parts/compared.ts'
import { createVerifiedCustomers } from '../parts/customers.ts'
import { startProduct, type Product } from '../parts/product.ts'
import { startServers } from '../parts/servers.ts'
import { contenderLines, ratioLines } from '../report.ts'
import { integrationOf } from './create-fiat-order.ts'

const CONNECTIONS = 16
/** With a slow processor calls mostly wait, so more are in flight. */
const SLOW_CONNECTIONS = 64
const SLOW_MS = 200
/** CPU is compared at an equal rate of refunds: a higher rate would be done in larger batches. */
const PACE_PER_SECOND = 25
/** A refund takes two calls to the processor: in less time a busy machine may not finish a single one. */
const LEAST_DURATION_MS = 2_000
/** Two refunds of one order wait for each other, so there are more orders than connections. */
const ORDERS = 4 * SLOW_CONNECTIONS
const FEW_ORDERS = 32

/** Paid card orders, refunded cent by cent in turn, each refund with a new key. */
const startRefunding = async (product: Product, count: number): Promise<Generator> => {
  const sandbox = createRawClient({ baseUrl: product.platform.sandboxUrl })
  const [customerPath = ''] = await createVerifiedCustomers(product, 1)
  const where = { customerPath, integrationId: await integrationOf(product, customerPath) }
  const keys = await createCardOrders(product, where, count)
  await withEach(keys, async (key) => {
    await sandbox.post(`/control/card-payments/${key}`, { outcome: 'completed' })
    const path = `/api/v1/partner/fiat-orders/${key}`
    for (let status = ''; status !== 'paid';) {
      const { data } = (await product.partner.get(path)).body as { data: { order: { status: string } } }
      status = data.order.status
    }
  })
  const prefix = freshName()
  const requests = keys.map((key) =>
    rawRequest({
      method: 'POST',
      path: `/api/v1/partner/fiat-orders/${key}/refunds`,
      headers: { ...product.authorization, 'idempotency-key': `${prefix}-${NUMBER_MARKER}` },
      body: { amount_cents: 1 },
    }),
  )
  return startGenerator(product.port, requests)
}

const adminUrlOf = ({ platform }: Product): string => {
  const { postgresAdminPassword } = loadSecrets(join(platform.dataDir, 'secrets.json'))
  return `postgres://postgres:${postgresAdminPassword}@127.0.0.1:${platform.postgres?.port ?? 0}/postgres`
}

const connectionLine = (name: string, looks: readonly HeldConnections[]): string => {
  const of = (figure: (look: HeldConnections) => number) => spreadOf(looks.map(figure)).median.toFixed(2)
  return `${name}: refunds' connections to PostgreSQL that are busy ${of(({ busy }) => busy)}, of them held idle in a transaction ${of(({ held }) => held)}`
}

const ASKED = ['gateway', 'refunds', 'payments', 'webhooks', 'onboarding', 'sandbox'] as const

/** Refunds of this checkout and of another one in turns, at a processor without delay. */
const runCompared = async (effort: Effort, plan: Effort, site: Site): Promise<string[]> => {
  const contenders = await startCompared(site, async (name, product): Promise<Contender> => {
    const { child, load } = await startRefunding(product, effort.quick ? FEW_ORDERS : ORDERS)
    site.keep(child)
    return {
      name,
      processes: [...product.processes(ASKED), { name: 'generator', pid: child.pid }],
      run: (durationMs) => load({ connections: CONNECTIONS, durationMs }),
      idle: (durationMs) => delay(durationMs),
    }
  })
  const results = await measureInTurns(contenders, plan)
  return [...contenderLines('refund', results), ...comparedLines(results[0], results[1])]
}

const run: Bench['run'] = async (effort, site) => {
  const { folder, keep } = site
  const plan = { ...effort, durationMs: Math.max(effort.durationMs, LEAST_DURATION_MS) }
  if (site.against !== undefined) return runCompared(effort, plan, site)
  const servers = keep(await startServers(folder))
  const floor = await prepareWriteFloor(servers, {
    folder,
    name: 'refund_floor',
    setUp: refundSetUp(CONNECTIONS),
    script: refundScript(),
  })
  const [cardPort, linePort] = [await freePort(), await freePort()]
  const line = await startDelayLine({ port: linePort, upstreamPort: cardPort })
  keep(line.child)
  const product = keep(
    await startProduct(folder, {
      SANDBOX_CARD_PORT: String(cardPort),
      CARD_URL: `http://127.0.0.1:${linePort}`,
    }),
  )
  const { child, load } = await startRefunding(product, effort.quick ? FEW_ORDERS : ORDERS)
  keep(child)
  const looks = new Map<string, HeldConnections[]>()
  const adminUrl = adminUrlOf(product)
  type Load = Readonly<{ connections: number; delayMs: number; perSecond?: number }>
  const contender = (name: string, { connections, delayMs, perSecond }: Load): Contender => ({
    name,
    processes: [
      ...product.processes(ASKED),
      { name: 'generator', pid: child.pid },
      { name: 'delay', pid: line.child.pid },
    ],
    async run(durationMs) {
      await line.setDelayMs(delayMs)
      const { value, connections: seen } = await watchConnections(adminUrl, 'refunds', () =>
        load({ connections, durationMs, perSecond }),
      )
      looks.set(name, [...(looks.get(name) ?? []), seen])
      return value
    },
    async idle(durationMs) {
      await watchConnections(adminUrl, 'refunds', () => delay(durationMs))
    },
  })
  const many = effort.quick ? CONNECTIONS : SLOW_CONNECTIONS
  const fast = contender('product', { connections: CONNECTIONS, delayMs: 0 })
  const slow = contender(`processor with ${SLOW_MS} ms`, { connections: many, delayMs: SLOW_MS })
  const paced = (delayMs: number) =>
    contender(`${PACE_PER_SECOND} a second, processor with ${delayMs} ms`, {
      connections: many,
      delayMs,
      perSecond: PACE_PER_SECOND,
    })
  const [pacedFast, pacedSlow] = [paced(0), paced(SLOW_MS)]
  const ofProduct = [fast, slow, pacedFast, pacedSlow] as const
  const connectionLines = () => [...looks].map(([name, seen]) => connectionLine(name, seen))
  if (floor === null)
    return [
      ...contenderLines('refund', await measureInTurns(ofProduct, plan)),
      ...connectionLines(),
      'No ratio: pgbench is not on PATH. It comes with the server of PostgreSQL (Debian: postgresql-15)',
    ]
  const results = await measureInTurns([floor(CONNECTIONS), ...ofProduct], plan)
  const [bare, whole, waiting, calm, calmWaiting] = results
  return [
    ...contenderLines('refund', results),
    ...connectionLines(),
    ...ratioLines(whole, bare, 'no aim: the processor is read and asked too'),
    ...ratioLines(waiting, whole, 'no aim: more are in flight simultaneously'),
    ...ratioLines(calmWaiting, calm, 'its latency is waiting: the CPU of a refund stays'),
  ]
}

export const refund: Bench = {
  name: 'refund',
  title: `POST refund against pgbench with the same rows in five transactions, and with a processor that takes ${SLOW_MS} ms`,
  run,
}
