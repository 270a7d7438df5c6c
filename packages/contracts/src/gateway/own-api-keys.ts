import { z } from 'zod'
import { del, get } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp } from '../primitives.ts'

/** Metadata of a merchant's key. */
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
    http: get('/api-keys'),
    tag: 'API keys',
    summary: 'List the valid API keys, oldest first',
    description: 'Use it to see which keys are valid, by their last characters.',
    caller: 'merchant',
    reply: OwnApiKeyList,
  }),
  revoke: operation({
    operationId: 'revokeApiKey',
    http: del('/api-keys/:keyId'),
    tag: 'API keys',
    summary: 'Revoke an API key within one second, also the key of this call',
    description: 'Use it when a key may have leaked. Staff issue new keys.',
    caller: 'merchant',
    params: z.object({ keyId: idOf('apiKey') }),
    reply: z.object({ ok: z.literal(true) }),
    refusals: ['resource_not_found'],
  }),
})
