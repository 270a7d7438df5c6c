import { newId } from '@causeway/chassis'
import { randomBytes } from 'node:crypto'
import type { Expect, Receiver } from '../load/receiver-process.ts'
import type { Measured } from '../measure/proc.ts'
import type { Contender } from '../measure/rounds.ts'
import type { Site } from '../parts/bench.ts'
import { startChild } from '../parts/child.ts'
import { newDomainEvent } from '../parts/domain-event.ts'
import { FAN_OUT } from '../parts/product-fan-out.ts'
import { timeDeliveries } from '../parts/time-deliveries.ts'
import type { DeliveryOptions } from './delivery.ts'

/** A job queue that is set up, with its worker program. */
export type Rival = Readonly<{
  name: string
  worker: URL
  storeUrl: string
  store: Measured
  /** Deletes the jobs of earlier rounds, where they would remain and slow the next one. */
  clear?: () => Promise<void>
}>

/** The argument of a rival's worker. */
export type WorkerArgument = DeliveryOptions & Readonly<{ storeUrl: string }>

/** A destination for each partner of the fan-out, all at one receiver. */
export const newDestinations = (): DeliveryOptions['destinations'] =>
  Array.from({ length: FAN_OUT.destinations }, () => ({
    id: newId('webhook'),
    ownerId: newId('partner'),
    secret: randomBytes(32).toString('hex'),
  }))

/**
 * Measures as the product is measured: events of the same form wait in the worker's memory instead of a
 * stream, and the time begins when it may take them.
 */
export const startRival = async (
  { name, worker, storeUrl, store, clear }: Rival,
  receiver: Receiver,
  expect: Expect,
  keep: Site['keep'],
): Promise<Contender> => {
  const destinations = newDestinations()
  const argument: WorkerArgument = {
    storeUrl,
    url: receiver.url,
    connections: FAN_OUT.connections,
    destinations,
  }
  const child = keep(await startChild(worker, argument))
  const newEvent = (_: unknown, index: number): string =>
    JSON.stringify(newDomainEvent(destinations[index % destinations.length]?.ownerId ?? ''))
  return {
    name,
    processes: [{ name: 'worker', pid: child.pid }, store, { name: 'receiver', pid: receiver.child.pid }],
    run: async () => {
      await clear?.()
      await child.ask(Array.from({ length: expect.events }, newEvent))
      return timeDeliveries(receiver, expect, () => child.ask('begin'))
    },
  }
}
