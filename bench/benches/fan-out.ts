import { startFanOutFloor } from '../floors/fan-out.ts'
import { startReceiver } from '../load/receiver-process.ts'
import { measureInTurns, type Contender } from '../measure/rounds.ts'
import type { Bench } from '../parts/bench.ts'
import { createDestinations } from '../parts/destinations.ts'
import { connectPublisher } from '../parts/event-publisher.ts'
import { startProduct } from '../parts/product.ts'
import { contenderLines, ratioLines } from '../report.ts'

const DESTINATIONS = 4
/** Connections that the product keeps to one destination (design: at most 8). */
const CONNECTIONS_EACH = 8
const WITHIN_MS = 60_000

/**
 * One round publishes while the webhooks process is stopped by a signal and measures from its first delivery to its
 * last, so that publishing takes no part in it.
 */
const run: Bench['run'] = async (effort, { folder, keep }) => {
  const { events } = effort
  const receiver = await startReceiver()
  keep(receiver.child)
  const connections = DESTINATIONS * CONNECTIONS_EACH
  const floor = keep(await startFanOutFloor(receiver, { events, connections, withinMs: WITHIN_MS }))
  const product = keep(await startProduct(folder))
  const partnerIds = await createDestinations(product, `${receiver.url}/hooks`, DESTINATIONS)
  const publisher = keep(await connectPublisher(product))
  const { webhooks } = product.platform.processes
  const fanOutContender: Contender = {
    name: 'product',
    processes: [...product.processes(['webhooks']), { name: 'receiver', pid: receiver.child.pid }],
    run: async () => {
      await receiver.reset()
      webhooks.kill('SIGSTOP')
      await publisher.publish(partnerIds, events)
      webhooks.kill('SIGCONT')
      const { seconds } = await receiver.until({ events, withinMs: WITHIN_MS })
      return { done: events, seconds }
    },
  }
  const results = await measureInTurns([floor.contender, fanOutContender], effort)
  const [bare, whole] = results
  return [...contenderLines('delivery', results), ...ratioLines(whole, bare, 'aim 0.40')]
}

export const fanOut: Bench = {
  name: 'fan-out',
  title: 'webhooks from the stream to a local receiver against a bare undici dispatch loop',
  run,
}
