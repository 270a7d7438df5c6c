import { newIdAt } from '@causeway/chassis'
import type { DomainEvent } from '@causeway/contracts'
import { copiesOf, type EventCopy } from '../../services/webhooks/src/engine/fast-path/fan-out.ts'
import type { DeliveryJob, DeliveryOptions } from './delivery.ts'

/** Events of one transaction: their rows, and the jobs that deliver them. */
export type Batch = Readonly<{ copies: readonly EventCopy[]; jobs: readonly DeliveryJob[] }>

const EVENTS_AT_ONCE = 256
/** One is prepared while another is committed: more were no faster, and the memory stays bounded. */
const BATCHES = 2

/**
 * The part of a webhook service before its queue, in the worker's own process: takes events as a stream delivers them
 * (JSON texts of the product's events), prepares them as the product does, and commits them by `add`. A batch that
 * `add` refuses ends the feeding. Unlike the product it only parses the events and does not validate them.
 * @returns a function that feeds events, and resolves when all are committed
 */
export const createFeeder = (
  destinations: DeliveryOptions['destinations'],
  add: (batch: Batch) => Promise<unknown>,
): ((events: readonly string[]) => Promise<void>) => {
  const destinationOf = new Map(destinations.map(({ id, ownerId }) => [ownerId, id]))
  const toJob = (copy: EventCopy, nowMs: number): DeliveryJob => {
    const { ownerId, eventId, type, body } = copy
    const destinationId = destinationOf.get(ownerId)
    if (destinationId === undefined) throw new Error(`No destination of ${ownerId}`)
    const deliveryId = newIdAt('delivery', nowMs)
    return { deliveryId, destinationId, ownerId, eventId, type, body, createdMs: nowMs }
  }
  const toBatch = (events: readonly string[]): Batch => {
    const nowMs = Date.now()
    const copies = events.flatMap((event) => copiesOf(JSON.parse(event) as DomainEvent))
    return { copies, jobs: copies.map((copy) => toJob(copy, nowMs)) }
  }
  return async (events) => {
    let next = 0
    const feed = async () => {
      while (next < events.length) {
        const taken = events.slice(next, next + EVENTS_AT_ONCE)
        next += taken.length
        await add(toBatch(taken))
      }
    }
    await Promise.all(Array.from({ length: BATCHES }, feed))
  }
}
