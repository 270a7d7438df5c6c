import type { Expect, Receiver } from '../load/receiver-process.ts'
import type { Contender } from '../measure/rounds.ts'
import type { Site } from './bench.ts'
import type { Product } from './product.ts'
import { createDestinations } from './destinations.ts'
import { connectPublisher } from './event-publisher.ts'
import { timeDeliveries } from './time-deliveries.ts'

const DESTINATIONS = 4
/** Connections that the product keeps to one destination (design: at most 8). */
const CONNECTIONS_EACH = 8

/** Parameters that all contenders of fan-out share. */
export const FAN_OUT = { destinations: DESTINATIONS, connections: DESTINATIONS * CONNECTIONS_EACH }

/**
 * The product, delivering events from its stream to a receiver. A round publishes while the webhooks process is stopped
 * by a signal, so that publishing is not measured, and begins when the process continues.
 */
export const fanOutContender = async (
  name: string,
  product: Product,
  { receiver, options, keep }: Readonly<{ receiver: Receiver; options: Expect; keep: Site['keep'] }>,
): Promise<Contender> => {
  const { events } = options
  const partnerIds = await createDestinations(product, `${receiver.url}/hooks`, DESTINATIONS)
  const publisher = keep(await connectPublisher(product))
  const { webhooks } = product.platform.processes
  return {
    name,
    processes: [...product.processes(['webhooks']), { name: 'receiver', pid: receiver.child.pid }],
    run: async () => {
      webhooks.kill('SIGSTOP')
      await publisher.publish(partnerIds, events)
      return timeDeliveries(receiver, options, () => webhooks.kill('SIGCONT'))
    },
  }
}
