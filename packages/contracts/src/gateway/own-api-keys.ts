import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp } from '../primitives.ts'

/** A merchant's key, without the key itself. */
export const OwnApiKey = z.object({
  keyId: idOf('apiKey'),
  hint: z.string().nullable().meta({ description: "The key's last four characters" }),
  createdAt: Timestamp,
})
export const OwnApiKeyList = z.object({ apiKeys: z.array(OwnApiKey) })

/** `gateway.own-api-keys`: a merchant's own keys, with the merchant API's field names. */
export const ownApiKeys = resource('gateway.own-api-keys', {
  list: operation({
    operationId: 'listApiKeys',
    summary: 'List the valid API keys, oldest first, by their last characters',
    description: 'Use it to see which keys are valid, by their last characters.',
    caller: 'merchant',
    reply: OwnApiKeyList,
  }),
  revoke: operation({
    operationId: 'revokeApiKey',
    summary: 'Take an API key back, be it the one of this call: it is refused within a second',
    description: 'Use it when a key may be known to others. New ones come from the platform’s staff.',
    caller: 'merchant',
    params: z.object({ keyId: idOf('apiKey') }),
    reply: z.object({ ok: z.literal(true) }),
    refusals: ['resource_not_found'],
  }),
})
