import { z } from 'zod'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp } from '../primitives.ts'

const merchantParams = z.object({ customerId: idOf('merchant') })

/** A key of the merchant API, without the key itself. */
export const ApiKey = z.object({
  key_id: idOf('apiKey'),
  /** The key's last four characters; null for keys that were created before these were stored. */
  hint: z.string().nullable(),
  created_at: Timestamp,
})
export type ApiKey = z.infer<typeof ApiKey>

/** Most live API keys of one merchant; a further one is `limit_reached`. */
export const API_KEYS_PER_MERCHANT = 20

export const MerchantApiKeyList = z.object({ api_keys: z.array(ApiKey) })

/** `gateway.api-keys`: credentials of the merchant API (spec: Authentication; decisions §14). */
export const apiKeys = resource('gateway.api-keys', {
  create: operation({
    operationId: 'createMerchantApiKey',
    summary: 'Give a merchant a further API key, 20 live ones at most; it is shown once',
    description: 'Use it for a merchant that wants to manage its webhooks itself.',
    caller: 'operator',
    params: merchantParams,
    reply: z.object({ api_key: z.string().regex(/^mk_[\w-]{43}$/) }),
    refusals: ['resource_not_found', 'limit_reached'],
  }),
  list: operation({
    operationId: 'listMerchantApiKeys',
    summary: 'List the valid API keys of a merchant, oldest first, by their last characters',
    description: 'Use it to find the key to revoke, by its last characters.',
    caller: 'operator',
    params: merchantParams,
    reply: MerchantApiKeyList,
  }),
  revoke: operation({
    operationId: 'revokeMerchantApiKey',
    summary: 'Take an API key back: it is refused within a second',
    description: 'Use it when a key may be known to others.',
    caller: 'operator',
    params: z.object({ customerId: idOf('merchant'), keyId: idOf('apiKey') }),
    reply: z.object({ revoked: z.literal(true), key_id: idOf('apiKey') }),
    refusals: ['resource_not_found'],
  }),
})
