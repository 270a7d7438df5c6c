import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { RelayedPost } from '../payments/card-notices.ts'

/** `onramp.notices`: posts of providers, byte for byte (decisions §13). */
export const onrampNotices = resource('onramp.notices', {
  receive: operation({
    operationId: 'receiveOnrampNotice',
    summary: 'Receive a signed notice of an onramp provider',
    description:
      'For onramp providers. Format and signature are provider-specific. Stale, repeated and out-of-order notices change nothing.',
    caller: 'public',
    params: z.object({ provider: z.string().max(64) }),
    body: RelayedPost,
    reply: z.object({ received: z.literal(true) }),
    refusals: ['unauthorized', 'invalid_request', 'resource_not_found'],
  }),
})
