import { startReceiver, type Receiver } from '../load/receiver-process.ts'
import { holdSnapshot, type HeldSnapshot } from '../measure/held-snapshot.ts'
import { measureInTurns, type Contender, type Result } from '../measure/rounds.ts'
import type { Bench, Effort, Site } from '../parts/bench.ts'
import { claimCostLines, openClaims, storeUrlOf, type ClaimCosts } from '../parts/claim-costs.ts'
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

type Phases = Readonly<{ before: Result; held: Result; afterwards: Result }>

type Subject = Readonly<{
  contender: Contender
  /** Databases that a snapshot is held of. */
  storeUrls: readonly string[]
  /** Over rows that cannot be vacuumed a rival's polling alone takes more than a tenth of a core. */
  neverRestsWhileHeld?: true
  /** Called before the snapshot is taken, and again before it is given back. */
  look?: () => Promise<void>
}>

/**
 * Measures before a snapshot, while it is held, and after it. What was afterwards tells the cost of the snapshot from
 * that of tables that have grown.
 */
const measurePhases = async (
  { contender, storeUrls, neverRestsWhileHeld, look }: Subject,
  effort: Effort,
  keep: Site['keep'],
): Promise<Phases> => {
  const [before] = await measureInTurns([contender], effort)
  await look?.()
  const snapshots: HeldSnapshot[] = []
  for (const url of storeUrls) snapshots.push(keep(await holdSnapshot(url)))
  while (snapshots.some((snapshot) => snapshot.heldMs() < effort.holdMs)) await contender.run(0)
  const whileHeld = neverRestsWhileHeld ? { ...contender, neverRests: neverRestsWhileHeld } : contender
  const [held] = await measureInTurns([whileHeld], effort)
  await look?.()
  for (const snapshot of snapshots) await snapshot.stop()
  const [afterwards] = await measureInTurns([contender], effort)
  return {
    before,
    held: { ...held, name: `${held.name}, snapshot of ${(effort.holdMs / 60_000).toFixed(1)} min` },
    afterwards: { ...afterwards, name: `${afterwards.name}, afterwards` },
  }
}

const phaseLines = ({ before, held, afterwards }: Phases, aim: string): string[] => [
  ...contenderLines('event', [before, held, afterwards]),
  ...ratioLines(held, before, aim),
  ...ratioLines(held, afterwards, 'the same tables without the snapshot'),
]

/** The rival starts after the product has finished, so that neither competes with the other's polling. */
const run: Bench['run'] = async (effort, { keep, ...place }) => {
  const receiver = await startReceiver()
  keep(receiver.child)
  const events = Math.ceil(effort.events / 4)
  const product = keep(
    await startProduct(place.folder, {
      PARTNER_RETRY_SCHEDULE: Array.from({ length: 20 }, () => '1s').join(','),
    }),
  )
  const claims = await openClaims(product, keep)
  const costs: ClaimCosts[] = []
  const ours = await measurePhases(
    {
      contender: await throughOutbox(product, receiver, events, keep),
      storeUrls: [storeUrlOf(product, 'payments'), storeUrlOf(product, 'webhooks')],
      look: async () => void costs.push(await claims()),
    },
    effort,
    keep,
  )
  const pgBoss = await openPgBoss({ keep, ...place })
  const contender = await startRival(pgBoss, receiver, { events, withinMs: WITHIN_MS }, keep)
  const rival = await measurePhases(
    { contender, storeUrls: [pgBoss.storeUrl], neverRestsWhileHeld: true },
    effort,
    keep,
  )
  return [
    ...phaseLines(ours, 'aim at least 0.95'),
    ...claimCostLines(costs),
    '',
    ...phaseLines(rival, 'rival'),
  ]
}

export const heldSnapshot: Bench = {
  name: 'held-snapshot',
  title: 'events through outbox, fan-out and retries while a reader holds a snapshot, then pg-boss alike',
  run,
}
