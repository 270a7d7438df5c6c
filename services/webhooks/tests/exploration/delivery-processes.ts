import { contextOf, createProcesses, type Body } from '@causeway/chassis/exploration'
import { randomUUID } from 'node:crypto'
import { claimLeaseMs, LEASE_MARGIN_MS } from '../../src/engine/dependencies.ts'
import type { EventCopy } from '../../src/engine/fast-path/fan-out.ts'
import { FirstAttempt, newInFlightEvent } from '../../src/engine/fast-path/first-attempt.ts'
import { findSettledEvents } from '../../src/engine/fast-path/store.ts'
import { finishDeliveries, releaseDeliveries } from '../../src/engine/record/finish-store.ts'
import { outcomeOf } from '../../src/engine/record/outcome.ts'
import { createRecorder } from '../../src/engine/record/record-store.ts'
import { claimDue } from '../../src/engine/slow-path/store.ts'
import type { Attempt } from '../../src/sending/attempt.ts'
import type { Destination } from '../../src/sending/destination.ts'

const OWNER_ID = 'ptn_00000000000000000900000001'
const EVENT_ID = 'evt_00000000000000000900000002'
const DESTINATION_ID = 'whk_00000000000000000900000003'
const TIMEOUT_MS = 5_000
export const RETRY_DELAYS_MS = [10_000]

const DESTINATION = {
  id: DESTINATION_ID,
  channel: 'partner',
  ownerId: OWNER_ID,
  policy: { retryDelaysMs: RETRY_DELAYS_MS, timeoutMs: TIMEOUT_MS },
} as unknown as Destination

const copyAt = (createdMs: number): EventCopy => ({
  channel: 'partner',
  ownerId: OWNER_ID,
  eventId: EVENT_ID,
  type: 'payment.confirmed',
  integrationId: null,
  body: '{}',
  isSealed: false,
  createdMs,
  traceparent: null,
  partnerCustomerId: null,
})

/** Production code that a mutant replaces. */
export type DeliveryMutant = Readonly<{ outcome?: typeof outcomeOf; acknowledgesFirst?: boolean }>

const attemptOf = (statusCode: number | null, atMs: number): Attempt => ({
  atMs,
  statusCode,
  latencyMs: 10,
  error: statusCode === null ? 'timeout' : null,
  responseBody: null,
  retryAfterMs: null,
})

/**
 * Handles an event of the stream as the fast path does: sends the first attempt from memory, records the event with its
 * delivery, and only then acknowledges it. Queues and batches are left out.
 */
const takeBody =
  (createdMs: number, { acknowledgesFirst = false }: DeliveryMutant): Body =>
  async (outside) => {
    const { db, clock } = contextOf(outside)
    const acknowledge = () => outside.ask('bus', 'acknowledge', null)
    if (acknowledgesFirst) await acknowledge()
    const copy = copyAt(createdMs)
    const asked = { ownerIds: [copy.ownerId], eventIds: [copy.eventId], partnerCustomerIds: [null] }
    if ((await findSettledEvents(db.pooled, asked)).length === 0) {
      const waiter = { resolve: () => undefined, reject: () => undefined }
      const flight = newInFlightEvent(copy, Number.MAX_SAFE_INTEGER, waiter)
      const first = new FirstAttempt(DESTINATION, flight, Buffer.from(copy.body), () => undefined)
      first.started(DESTINATION)
      const atMs = clock.nowMs()
      first.done(attemptOf(await outside.ask<number | null>('receiver', 'post', null), atMs))
      const { channel: _, isSealed: __, ...event } = copy
      const record = createRecorder({ attemptsOutliveDeliveries: true })
      await record(db, [{ event, deliveries: [first.toRow(clock.nowMs())] }])
    }
    if (!acknowledgesFirst) await acknowledge()
  }

/** Runs one turn of the slow path: claims due deliveries, sends them under the lease, and finishes or releases them. */
const claimBody =
  ({ outcome = outcomeOf }: DeliveryMutant): Body =>
  async (outside) => {
    const { db, clock } = contextOf(outside)
    const nowMs = clock.nowMs()
    const leaseId = randomUUID()
    const leaseEndMs = nowMs + claimLeaseMs(TIMEOUT_MS)
    const rows = await claimDue(db.pooled, {
      priorities: [0, 1],
      destinationIds: [DESTINATION_ID, DESTINATION_ID],
      counts: [1, 1],
      leaseEndsMs: [leaseEndMs, leaseEndMs],
      fromsMs: [0, 0],
      nowMs,
      leaseId,
    })
    for (const { destinationId, id, retriesUsed } of rows) {
      const lease = { destinationId, id, leaseId }
      const atMs = clock.nowMs()
      if (atMs > leaseEndMs - LEASE_MARGIN_MS / 2 - TIMEOUT_MS) {
        await releaseDeliveries(db, { destinationIds: [destinationId], ids: [id], leaseIds: [leaseId] })
        continue
      }
      const attempt = attemptOf(await outside.ask<number | null>('receiver', 'post', null), atMs)
      const finish = { ...lease, ...outcome(DESTINATION, retriesUsed, attempt), attempt }
      await finishDeliveries(db, [finish])
    }
  }

/** Two replicas, each with a fast and a slow path. */
export const createDeliveryProcesses = (createdMs: number, mutant: DeliveryMutant) =>
  createProcesses({
    takeA: takeBody(createdMs, mutant),
    takeB: takeBody(createdMs, mutant),
    claimA: claimBody(mutant),
    claimB: claimBody(mutant),
  })
