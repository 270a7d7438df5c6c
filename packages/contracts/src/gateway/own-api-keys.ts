import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp } from '../primitives.ts'

/** `gateway.own-api-keys`: a merchant's own keys, with the merchant API's field names. */
export const ownApiKeys = resource('gateway.own-api-keys', {
  list: operation({
    summary: 'List the valid API keys, oldest first, by their last characters',
    caller: 'merchant',
    reply: z.object({
      apiKeys: z.array(
        z.object({ keyId: idOf('apiKey'), hint: z.string().nullable(), createdAt: Timestamp }),
      ),
    }),
  }),
  revoke: operation({
    summary: 'Take an API key back, be it the one of this call: it is refused within a second',
    caller: 'merchant',
    params: z.object({ keyId: idOf('apiKey') }),
    reply: z.object({ ok: z.literal(true) }),
    refusals: ['resource_not_found'],
  }),
})
