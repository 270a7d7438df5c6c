import type { Bus } from './connect.ts'
import type { ConsumeOptions, Received } from './consume-options.ts'

/** Handles one event as a consumer does. It rejects as the consumer's handler does. */
export type HandleEvent = (received: Received) => Promise<void>

const consumersOf = new WeakMap<Bus, Map<string, HandleEvent>>()

/** Remembers how a consumer of this process handles an event, for events that were parked. */
export const registerConsumer = <Item>(bus: Bus, { durable, read, handle }: ConsumeOptions<Item>): void => {
  const known = consumersOf.get(bus) ?? new Map<string, HandleEvent>()
  consumersOf.set(bus, known)
  known.set(durable, (received) => handle([read ? read(received) : (received as Item)]))
}

/** How a consumer of this process handles an event; undefined for one that it does not run. */
export const consumerOf = (bus: Bus, durable: string): HandleEvent | undefined =>
  consumersOf.get(bus)?.get(durable)
