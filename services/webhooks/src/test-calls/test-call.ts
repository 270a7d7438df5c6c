import { newId, newIdAt } from '@causeway/chassis'
import type { TestPayload } from '@causeway/contracts'
import type { Connect } from '../connect-guard/connect.ts'
import type { Answer } from '../sending/answer.ts'
import { Connection } from '../sending/connection.ts'
import { templateAt } from '../sending/destination.ts'
import type { Outgoing } from '../sending/request.ts'
import { outcomeOfStatus, type Attempt } from '../sending/attempt.ts'
import { attemptOf } from '../sending/destination-queue.ts'
import { readTarget, type Target } from '../connect-guard/target.ts'
import { TEST_EVENT, type Channel } from '../destinations/domain.ts'
import { signingOf } from '../sending/signing.ts'
import type { SampledDestination } from '../destinations/store.ts'
import type { EventRecord } from '../engine/record/record-store.ts'
import type { Dependencies } from '../dependencies.ts'

/** Part of the caller's deadline that is reserved for the reply. */
const REPLY_MS = 500

type Sampled = SampledDestination & Readonly<{ channel: Channel; ownerId: string }>

/** Content of a test call: the payload, and its id in the log. */
type Sample = Readonly<{ eventId: string; payload: Readonly<Record<string, unknown>> }>

/**
 * Makes the payload of a merchant's test call (spec: Merchant webhook management API). Its order id is new every time, so that a
 * receiver that drops duplicates sees every test.
 */
const merchantSample = (eventId: string, now: Date): TestPayload => ({
  event: 'test',
  order: {
    id: newId('cryptoOrder'),
    reference: 'TEST',
    chain: 'BTC',
    asset: 'BTC',
    amount: '0.001',
    status: 'pending',
  },
  eventId,
  occurredAt: now.toISOString(),
  sequence: 1,
})

/** Makes the payload of a partner's test call: the envelope of its channel, with a type that no destination subscribes to. */
const partnerSample = (eventId: string, partnerId: string, now: Date) => ({
  event_id: eventId,
  event_type: TEST_EVENT,
  created_at: now.toISOString(),
  partner_id: partnerId,
  data: {},
})

/** Sends outside the engine, on a separate guarded connection. */
const sendOnce = (connect: Connect, target: Target, outgoing: Outgoing): Promise<Answer> =>
  new Promise((resolve) => {
    const connection = new Connection(target, connect)
    connection.send(outgoing, (answer) => {
      connection.close()
      resolve(answer)
    })
  })

type Made = Sampled & Readonly<{ eventId: string; body: string; attempt: Attempt }>

/** Makes the log record of a test call: a delivery that has ended, because tests are not retried. */
const recordOf = ({ id, ownerId, eventId, body, attempt }: Made): EventRecord => {
  const { atMs: createdMs, statusCode } = attempt
  return {
    event: { ownerId, eventId, type: TEST_EVENT, integrationId: null, body, createdMs },
    deliveries: [
      {
        destinationId: id,
        id: newIdAt('delivery', createdMs),
        ownerId,
        eventId,
        eventType: TEST_EVENT,
        state: outcomeOfStatus(statusCode) === 'delivered' ? 'delivered' : 'dead',
        priority: 0,
        retriesUsed: 0,
        dueMs: createdMs,
        nextAttemptMs: null,
        leaseId: null,
        createdMs,
        attempt,
      },
    ],
  }
}

/**
 * Sends a sample as deliveries are sent: signed, through the connect guard, within the channel's timeout; and records
 * it. @param deadlineMs when the caller's own request is given up
 */
const sendSample = async (
  { db, vault, clock, connect, timeoutsMs, record }: Dependencies,
  sampled: Sampled,
  { eventId, payload }: Sample,
  deadlineMs: number,
): Promise<Attempt> => {
  // A URL that was registered under laxer rules is checked by the connect guard.
  const target = readTarget(sampled.url)
  if (!target) throw new Error('A stored URL cannot be used')
  const body = JSON.stringify(payload)
  const atMs = clock.nowMs()
  const outsideMs = clock.outsideMs()
  const begunMs = performance.now()
  const answer = await sendOnce(connect, target, {
    template: templateAt(signingOf(vault, sampled), atMs),
    eventId,
    body: Buffer.from(body),
    atMs: outsideMs,
    timeoutMs: Math.max(Math.min(timeoutsMs[sampled.channel], deadlineMs - outsideMs - REPLY_MS), 1),
  })
  const latencyMs = Math.round(performance.now() - begunMs)
  const attempt = attemptOf(answer, { atMs, outsideMs, latencyMs })
  await record(db, [recordOf({ ...sampled, eventId, body, attempt })])
  return attempt
}

type Owned = Omit<Sampled, 'channel'>
/** When the call came, and when its caller gives it up. */
type Times = Readonly<{ now: Date; deadlineMs: number }>

const isTaken = ({ statusCode }: Attempt): boolean => outcomeOfStatus(statusCode) === 'delivered'

/** Sends a sample to a merchant's webhook, and gives the reply of the test call. */
export const sendMerchantSample = async (dependencies: Dependencies, owned: Owned, times: Times) => {
  const eventId = newIdAt('event', times.now.getTime())
  const payload = merchantSample(eventId, times.now)
  const sample = { eventId, payload }
  const sampled = { ...owned, channel: 'merchant' } as const
  const attempt = await sendSample(dependencies, sampled, sample, times.deadlineMs)
  return {
    success: isTaken(attempt),
    url: owned.url,
    httpStatus: attempt.statusCode,
    signed: true,
    responseBody: attempt.responseBody,
    payload,
  }
}

/** Sends a sample to a partner's destination, and gives the reply of the test call. */
export const sendPartnerSample = async (dependencies: Dependencies, owned: Owned, times: Times) => {
  const eventId = newIdAt('event', times.now.getTime())
  const sample = { eventId, payload: partnerSample(eventId, owned.ownerId, times.now) }
  const sampled = { ...owned, channel: 'partner' } as const
  const attempt = await sendSample(dependencies, sampled, sample, times.deadlineMs)
  return {
    success: isTaken(attempt),
    event_id: eventId,
    status_code: attempt.statusCode,
    error: attempt.error,
    response_body: attempt.responseBody,
  }
}
