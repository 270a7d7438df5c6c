import { newId, newIdAt } from '@causeway/chassis'
import type { TestPayload } from '@causeway/contracts'
import type { Connect } from '../connect-guard/connect.ts'
import type { Answer } from '../sending/answer/answer.ts'
import { Connection } from '../sending/connection.ts'
import { RequestTemplate, type Outgoing } from '../sending/request.ts'
import { outcomeOfStatus, type Attempt } from '../sending/attempt.ts'
import { attemptOf } from '../sending/destination-queue.ts'
import { signingKey } from '../sending/signature.ts'
import { readTarget, type Target } from '../connect-guard/target.ts'
import { secretContext } from '../destinations/secret.ts'
import { TEST_EVENT } from '../destinations/domain.ts'
import type { EventRecord } from '../engine/record/record-store.ts'
import type { Dependencies } from '../dependencies.ts'

/** Of the caller's deadline, reserved for the reply itself. */
const REPLY_MS = 500

type Registration = Readonly<{ id: string; merchantId: string; url: string; secretSealed: string }>

/**
 * What the test call sends (spec: Merchant webhook management API). Its order id is new every time, so that a receiver
 * that drops repetitions sees every test.
 */
const samplePayload = (): TestPayload => ({
  event: 'test',
  order: {
    id: newId('cryptoOrder'),
    reference: 'TEST',
    chain: 'BTC',
    asset: 'BTC',
    amount: '0.001',
    status: 'pending',
  },
})

/** Sends outside the engine, on a guarded connection of its own. */
const sendOnce = (connect: Connect, target: Target, outgoing: Outgoing): Promise<Answer> =>
  new Promise((resolve) => {
    const connection = new Connection(target, connect)
    connection.send(outgoing, (answer) => {
      connection.close()
      resolve(answer)
    })
  })

type Made = Readonly<{ merchantId: string; webhookId: string; body: string; attempt: Attempt }>

/** What the log shows of a test call: a delivery that has ended, because nobody tries a test again. */
const recordOf = ({ merchantId, webhookId, body, attempt }: Made): EventRecord => {
  const { atMs: createdMs, statusCode } = attempt
  const eventId = newIdAt('event', createdMs)
  return {
    event: { ownerId: merchantId, eventId, type: TEST_EVENT, integrationId: null, body, createdMs },
    deliveries: [
      {
        destinationId: webhookId,
        id: newIdAt('delivery', createdMs),
        ownerId: merchantId,
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
 * it. @param deadlineMs when the merchant's own request is given up
 */
export const sendSample = async (
  { db, vault, clock, connect, merchantTimeoutMs, record }: Dependencies,
  { id, merchantId, url, secretSealed: sealed }: Registration,
  deadlineMs: number,
) => {
  // A URL that was registered under laxer rules is checked by the connect guard.
  const target = readTarget(url)
  if (!target) throw new Error('A stored URL cannot be used')
  const key = signingKey(vault.open(sealed, secretContext(id)).toString('ascii'))
  const payload = samplePayload()
  const body = JSON.stringify(payload)
  const atMs = clock.nowMs()
  const outsideMs = clock.outsideMs()
  const begunMs = performance.now()
  const answer = await sendOnce(connect, target, {
    template: new RequestTemplate({ id, key, target }),
    body: Buffer.from(body),
    atMs: outsideMs,
    timeoutMs: Math.max(Math.min(merchantTimeoutMs, deadlineMs - outsideMs - REPLY_MS), 1),
  })
  const latencyMs = Math.round(performance.now() - begunMs)
  const attempt = attemptOf(answer, { atMs, outsideMs, latencyMs })
  await record(db, [recordOf({ merchantId, webhookId: id, body, attempt })])
  return {
    success: outcomeOfStatus(answer.statusCode) === 'delivered',
    url,
    httpStatus: answer.statusCode,
    signed: true,
    responseBody: attempt.responseBody,
    payload,
  }
}
