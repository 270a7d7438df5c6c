import { newId } from '@causeway/chassis'
import type { TestPayload } from '@causeway/contracts'
import type { Connect } from '../connect-guard/connect.ts'
import type { Answer } from '../sending/answer/answer.ts'
import { Connection } from '../sending/connection.ts'
import { RequestTemplate, type Outgoing } from '../sending/request.ts'
import { outcomeOfStatus, readableBody } from '../sending/attempt.ts'
import { signingKey } from '../sending/signature.ts'
import { readTarget, type Target } from '../connect-guard/target.ts'
import { secretContext } from '../destinations/secret.ts'
import type { Dependencies } from '../dependencies.ts'

/** Of the caller's deadline, reserved for the reply itself. */
const REPLY_MS = 500

type Registration = Readonly<{ id: string; url: string; secretSealed: string }>

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

/**
 * Sends a sample as deliveries are sent: signed, through the connect guard, within the channel's timeout. Nothing of
 * it is recorded. @param deadlineMs when the merchant's own request is given up
 */
export const sendSample = async (
  { vault, clock, connect, merchantTimeoutMs }: Dependencies,
  { id, url, secretSealed: sealed }: Registration,
  deadlineMs: number,
) => {
  // A URL that was registered under laxer rules is checked by the connect guard.
  const target = readTarget(url)
  if (!target) throw new Error('A stored URL cannot be used')
  const key = signingKey(vault.open(sealed, secretContext(id)).toString('ascii'))
  const payload = samplePayload()
  const body = Buffer.from(JSON.stringify(payload))
  const nowMs = clock.outsideMs()
  const answer = await sendOnce(connect, target, {
    template: new RequestTemplate({ id, key, target }),
    body,
    atMs: nowMs,
    timeoutMs: Math.max(Math.min(merchantTimeoutMs, deadlineMs - nowMs - REPLY_MS), 1),
  })
  return {
    success: outcomeOfStatus(answer.statusCode) === 'delivered',
    url,
    httpStatus: answer.statusCode,
    signed: true,
    responseBody: readableBody(answer.body),
    payload,
  }
}
