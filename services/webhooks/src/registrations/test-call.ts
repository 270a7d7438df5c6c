import { sendOnce } from '../sending/single-send.ts'
import { signedHeaders } from '../sending/signed-headers.ts'
import { readableBody } from '../sending/attempt.ts'
import { samplePayload } from './sample.ts'
import { signingKey } from '../sending/signature.ts'
import { readTarget } from '../destinations/url.ts'
import { verdictOf } from '../sending/attempt-outcome.ts'
import { secretContext } from '../engine/destination-registry.ts'
import type { Parts } from '../dependencies.ts'

/** What is left of the caller's patience for the answer itself. */
const ANSWER_MS = 500

type Registration = Readonly<{ id: string; url: string; secret_sealed: string }>

/**
 * Sends a sample as deliveries are sent: signed, through the connect guard, within the channel's timeout. Nothing of
 * it is recorded. @param deadlineMs when the merchant's own request is given up
 */
export const sendSample = async (
  { vault, clock, connect, merchantTimeoutMs }: Parts,
  { id, url, secret_sealed: sealed }: Registration,
  deadlineMs: number,
) => {
  // What was registered under laxer rules is judged again by the guard.
  const target = readTarget(url)
  if (!target) throw new Error('A stored URL cannot be used')
  const key = signingKey(vault.open(sealed, secretContext(id)).toString('ascii'))
  const payload = samplePayload()
  const body = Buffer.from(JSON.stringify(payload))
  const nowMs = clock.outsideMs()
  const answer = await sendOnce(connect, target, {
    headers: signedHeaders({ id, key }, body, nowMs),
    body,
    timeoutMs: Math.max(Math.min(merchantTimeoutMs, deadlineMs - nowMs - ANSWER_MS), 1),
  })
  return {
    success: verdictOf(answer.statusCode) === 'delivered',
    url,
    httpStatus: answer.statusCode,
    signed: true,
    responseBody: readableBody(answer.body),
    payload,
  }
}
