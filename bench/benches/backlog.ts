import { randomUUID } from 'node:crypto'
import { statementOf } from '@causeway/chassis/testing'
import { claimDue } from '../../services/webhooks/src/engine/slow-path/store.ts'
import { startReceiver } from '../load/receiver-process.ts'
import { residentBytesOf } from '../measure/proc.ts'
import { spreadOf, type Spread } from '../measure/statistics.ts'
import type { Bench } from '../parts/bench.ts'
import { startProduct } from '../parts/product.ts'
import { newOwned, openWebhookRows, type Owned, type WebhookRows } from '../parts/webhook-rows.ts'

const CLAIMS = 50
const CLAIMED = 64
/** A small backlog whose indexes still have more than one page. */
const FEW = 10_000
const LEASE_MS = 60_000
const LOOK_MS = 50
const MEBIBYTE = 1024 ** 2

type Backlog = Readonly<{ rows: WebhookRows; owned: Owned }>

/** Prepares a claim of a full batch. @returns its time in the database, in microseconds; it is rolled back */
const claimOf = async ({
  rows: { client },
  owned: { webhookId },
}: Backlog): Promise<() => Promise<number>> => {
  const { text } = await statementOf((db) =>
    claimDue(db, {
      priorities: [0],
      destinationIds: [webhookId],
      counts: [CLAIMED],
      leaseEndsMs: [0],
      fromsMs: [0],
      nowMs: 0,
      leaseId: randomUUID(),
    }),
  )
  const name = `claim_${webhookId}`
  await client.query(`PREPARE ${name} AS ${text}`)
  return async () => {
    const nowMs = Date.now()
    const values = `'{0}', '{${webhookId}}', '{${CLAIMED}}', '{${nowMs + LEASE_MS}}', '{0}', ${nowMs}, '${randomUUID()}'`
    await client.query('BEGIN')
    const { rows } = await client.query<{ 'QUERY PLAN': { 'Execution Time': number }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${name} (${values})`,
    )
    await client.query('ROLLBACK')
    return (rows[0]?.['QUERY PLAN'][0]?.['Execution Time'] ?? Number.NaN) * 1_000
  }
}

/** Times claims of several backlogs in turns: what else the server does, such as writing pages, then weighs on all. */
const timeClaims = async (backlogs: readonly Backlog[]): Promise<Spread[]> => {
  const claims = await Promise.all(backlogs.map(claimOf))
  const timesUs: number[][] = claims.map(() => [])
  for (let turn = 0; turn < CLAIMS; turn += 1)
    for (const [index, claim] of claims.entries()) timesUs[index]?.push(await claim())
  return timesUs.map(spreadOf)
}

const shown = ({ median, low, high }: Spread): string =>
  `${median.toFixed(0)} µs [${low.toFixed(0)} to ${high.toFixed(0)}]`

/** The result of the work, and the peak memory of a process meanwhile. */
const watchMemory = async <T>(pid: number, work: Promise<T>): Promise<{ value: T; mostBytes: number }> => {
  let mostBytes = 0
  const look = () => {
    mostBytes = Math.max(mostBytes, residentBytesOf({ name: 'webhooks', pid }))
  }
  const looking = setInterval(look, LOOK_MS)
  try {
    return { value: await work, mostBytes }
  } finally {
    clearInterval(looking)
  }
}

/** The service learns of the destinations only after the claims are timed, so that it does not claim meanwhile. */
const run: Bench['run'] = async (effort, { folder, keep }) => {
  const receiver = await startReceiver()
  keep(receiver.child)
  const product = keep(await startProduct(folder))
  const rows = keep(await openWebhookRows(product))
  const apart = keep(await openWebhookRows(product, 'few'))
  const pid = product.platform.processes.webhooks.pid ?? 0
  const [small, medium, large] = [newOwned(), newOwned(), newOwned()]
  await rows.addBacklog(small, CLAIMED)
  await rows.addBacklog(large, effort.backlog)
  const fewRows = Math.min(FEW, effort.backlog)
  const alone = newOwned()
  await apart.addBacklog(alone, CLAIMED)
  await apart.addBacklog(medium, fewRows)
  const [ofAll, amongMany, ofFew, ofAlone] = (await timeClaims([
    { rows, owned: large },
    { rows, owned: small },
    { rows: apart, owned: medium },
    { rows: apart, owned: alone },
  ])) as [Spread, Spread, Spread, Spread]

  const idleBytes = residentBytesOf({ name: 'webhooks', pid })
  await receiver.reset()
  const url = `${receiver.url}/hooks`
  await rows.addDestinations([small, large].map((owned) => ({ ...owned, url })))
  const drained = Math.min(effort.backlog, effort.events)
  const { value, mostBytes } = await watchMemory(pid, receiver.until({ events: drained, withinMs: 120_000 }))
  const { events, firstAtMs, lastAtMs } = value
  const [few, count] = [fewRows, effort.backlog].map((waiting) => waiting.toLocaleString('en'))
  const mebibytes = (bytes: number) => (bytes / MEBIBYTE).toFixed(0)
  return [
    `a claim of ${CLAIMED} out of ${few}, in tables of their own: ${shown(ofFew)}`,
    `a claim of ${CLAIMED} out of ${count}: ${shown(ofAll)}, ${(ofAll.median / ofFew.median).toFixed(2)} of one out of ${few} (aim at most 1.2)`,
    `a claim of ${CLAIMED} of one destination among ${count} of another: ${shown(amongMany)}, ${(amongMany.median / ofAlone.median).toFixed(2)} of one among ${few}`,
    `draining: ${((1_000 * events) / (lastAtMs - firstAtMs)).toFixed(0)} deliveries/s to one destination`,
    `memory of webhooks: ${mebibytes(idleBytes)} MiB before, ${mebibytes(mostBytes)} MiB at the most while it drains`,
  ]
}

export const backlog: Bench = {
  name: 'backlog',
  title: 'a backlog on one destination: what a claim costs, and what a process holds in memory',
  run,
}
