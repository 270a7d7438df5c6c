import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { freePort } from '@causeway/dev-env/infrastructure/free-port'
import { startReceiver, type Receiver } from '../load/receiver-process.ts'
import { steadily } from '../load/steadily.ts'
import { quantile, spreadOf, type Spread } from '../measure/statistics.ts'
import type { Bench } from '../parts/bench.ts'
import { createDestinations } from '../parts/destinations.ts'
import { connectPublisher } from '../parts/event-publisher.ts'
import { startProduct } from '../parts/product.ts'
import { newOwned, openWebhookRows } from '../parts/webhook-rows.ts'

/** Events for the healthy destination, and for all dead ones together in addition to their retries. */
const HEALTHY_PER_SECOND = 100
const DEAD_PER_SECOND = 100
/** Rate of the first event to each dead destination, before anything is measured. */
const MET_PER_SECOND = 250
const WITHIN_MS = 60_000
/** Retries of every dead destination: about 170 a second for 10,000. */
const RETRIES = Array.from({ length: 100 }, () => '60s').join(',')

type Publisher = Awaited<ReturnType<typeof connectPublisher>>

/** Accepts connections and never answers. */
const startMute = async () => {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Publishes at a steady rate to the owners in turn. @returns how many */
const publishSteadily = (
  publisher: Publisher,
  owners: readonly string[],
  perSecond: number,
  durationMs: number,
): Promise<number> =>
  steadily({ perSecond, durationMs }, (index) => publisher.publish([owners[index % owners.length] ?? ''], 1))

/** Quantiles of a round's latencies from the event to its arrival. */
type Latency = Readonly<{ p50: number; p99: number }>

const measureHealthy = async (
  receiver: Receiver,
  publisher: Publisher,
  healthy: readonly string[],
  durationMs: number,
): Promise<Latency> => {
  await receiver.reset({ withAges: true })
  const events = await publishSteadily(publisher, healthy, HEALTHY_PER_SECOND, durationMs)
  const { agesMs } = await receiver.until({ events, withinMs: WITHIN_MS })
  const sorted = agesMs.toSorted((a, b) => a - b)
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
}

const shown = ({ median, low, high }: Spread): string =>
  `${median.toFixed(0)} ms [${low.toFixed(0)} to ${high.toFixed(0)}]`

/**
 * First the healthy destination alone, then all: the retries of the dead ones never pause, so the two cannot be
 * measured in turns. Half of the dead refuse connections, half accept them and never answer.
 */
const run: Bench['run'] = async (effort, { folder, keep }) => {
  const receiver = await startReceiver()
  keep(receiver.child)
  const mute = keep(await startMute())
  const product = keep(await startProduct(folder, { PARTNER_RETRY_SCHEDULE: RETRIES }))
  const rows = keep(await openWebhookRows(product))
  const publisher = keep(await connectPublisher(product))
  const [publisherOfDead, healthy] = [
    keep(await connectPublisher(product)),
    await createDestinations(product, `${receiver.url}/hooks`, 1),
  ]
  const rounds = async (): Promise<Latency[]> => {
    const found: Latency[] = []
    await measureHealthy(receiver, publisher, healthy, effort.warmUpMs)
    for (let round = 0; round < effort.rounds; round += 1)
      found.push(await measureHealthy(receiver, publisher, healthy, effort.durationMs))
    return found
  }
  const alone = await rounds()

  const refused = `http://127.0.0.1:${await freePort()}/hooks`
  const dead = Array.from({ length: effort.deadDestinations }, (_, index) => ({
    ...newOwned(),
    url: index % 2 === 0 ? refused : mute.url,
  }))
  await rows.addDestinations(dead)
  const deadOwners = dead.map(({ partnerId }) => partnerId)
  // Each gets one event before anything is measured.
  await publishSteadily(publisherOfDead, deadOwners, MET_PER_SECOND, (1_000 * dead.length) / MET_PER_SECOND)
  const ending = { isOver: false }
  const pestering = (async () => {
    while (!ending.isOver) await publishSteadily(publisherOfDead, deadOwners, DEAD_PER_SECOND, 1_000)
  })()
  const measureAmongDead = async () => {
    try {
      return await rounds()
    } finally {
      ending.isOver = true
      await pestering
    }
  }
  const amongDead = await measureAmongDead()

  const spread = (found: readonly Latency[], of: keyof Latency) => spreadOf(found.map((each) => each[of]))
  const [quiet, loaded] = [spread(alone, 'p99'), spread(amongDead, 'p99')]
  const count = effort.deadDestinations.toLocaleString('en')
  return [
    `alone: p50 ${shown(spread(alone, 'p50'))}, p99 ${shown(quiet)}, from the event to its arrival`,
    `among ${count} dead: p50 ${shown(spread(amongDead, 'p50'))}, p99 ${shown(loaded)}`,
    `among ${count} dead: ${(loaded.median / quiet.median).toFixed(2)} of the p99 alone (aim at most 1.2)`,
  ]
}

export const deadDestinations: Bench = {
  name: 'dead-destinations',
  title: `a healthy destination, ${HEALTHY_PER_SECOND} events/s, among dead ones that get ${DEAD_PER_SECOND}/s and their retries`,
  run,
}
