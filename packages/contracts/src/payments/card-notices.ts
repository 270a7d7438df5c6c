import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { text } from '../primitives.ts'

/** A post of a card processor or an onramp provider, byte for byte, because signatures cover its bytes. */
export const RelayedPost = z.strictObject({
  /** Names in lower case; repeated headers are left out. */
  headers: z.record(z.string(), z.string()),
  raw_body_base64: z.string(),
})
const processorParams = z.object({ processor: text(64) })

/** `payments.card-notices`: notices and authorisation requests of card processors, at `/api/callbacks/cards/{processor}` (decisions §10). */
export const cardNotices = resource('payments.card-notices', {
  receive: operation({
    operationId: 'receiveCardNotice',
    summary: 'Receive a signed notice of a card processor',
    description:
      'For card processors. Format and signature are processor-specific. A repeated notice changes nothing.',
    caller: 'public',
    params: processorParams,
    body: RelayedPost,
    reply: z.object({ received: z.literal(true) }),
    refusals: ['invalid_request', 'unauthorized', 'resource_not_found', 'temporarily_unavailable'],
  }),
  authorize: operation({
    operationId: 'authorizeCardPayment',
    summary: 'Tell a card processor whether a payer may pay',
    description:
      'For card processors that ask before a payment. A payer who is blocked after a dispute may not pay.',
    caller: 'public',
    params: processorParams,
    body: RelayedPost,
    reply: z.object({ allowed: z.boolean() }),
    refusals: ['invalid_request', 'unauthorized', 'resource_not_found', 'temporarily_unavailable'],
  }),
})
