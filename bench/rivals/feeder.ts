import { newIdAt } from '@causeway/chassis'
import type { DomainEvent } from '@causeway/contracts'
import { copiesOf, type EventCopy } from '../../services/webhooks/src/engine/fast-path/fan-out.ts'
import type { DeliveryJob, DeliveryOptions } from './delivery.ts'

/** Events of one transaction: what is logged of them, and the jobs that deliver it. */
export type Batch = Readonly<{ copies: readonly EventCopy[]; jobs: readonly DeliveryJob[] }>

const EVENTS_AT_ONCE = 256
/** One is made while another is committed: more were no quicker, and what is parsed and not committed stays bounded. */
const BATCHES = 2

/**
 * What stands before a queue in a webhook service, in the worker's own process: takes events as they come from a stream
 * (JSON texts of the product's events), makes of them what the product makes, and has them committed by `add`. A batch
 * that `add` refuses ends the feeding: an event that is not committed is not fed. Not equal to the product: it only
 * parses what the product validates as well.
 * @returns feeds events, and resolves when all are committed
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
