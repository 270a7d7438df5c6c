import { z } from 'zod'
import { del, get, post } from '../http/methods.ts'
import { operation, resource } from '../operation.ts'
import { idOf, Timestamp } from '../primitives.ts'

const merchantParams = z.object({ customerId: idOf('merchant') })

/** Metadata of a merchant API key. */
export const ApiKey = z.object({
  key_id: idOf('apiKey'),
  /** The key's last four characters; null for keys that were created before these were stored. */
  hint: z.string().nullable(),
  created_at: Timestamp,
})
export type ApiKey = z.infer<typeof ApiKey>

/** Maximum live API keys of one merchant; another one is `limit_reached`. */
export const API_KEYS_PER_MERCHANT = 20

export const MerchantApiKeyList = z.object({ api_keys: z.array(ApiKey) })

/** `gateway.api-keys`: credentials of the merchant API (spec: Authentication; decisions §14). */
export const apiKeys = resource('gateway.api-keys', {
  create: operation({
    operationId: 'createMerchantApiKey',
    http: post('/merchants/:customerId/api-keys', { status: 201, ofMerchant: true }),
    role: 'admin',
    tag: 'Keys and audit',
    fourEyes: ['keys', 'webhooks'],
    summary: 'Create another API key for a merchant, at most 20; the key is shown once',
    description: 'Use it for a merchant that manages its own webhooks.',
    caller: 'operator',
    params: merchantParams,
    reply: z.object({ api_key: z.string().regex(/^mk_[\w-]{43}$/) }),
    refusals: ['resource_not_found', 'limit_reached'],
  }),
  list: operation({
    operationId: 'listMerchantApiKeys',
    http: get('/merchants/:customerId/api-keys', { ofMerchant: true }),
    role: 'viewer',
    tag: 'Keys and audit',
    summary: 'List the valid API keys of a merchant, oldest first',
    description: 'Use it to find the key to revoke by its last characters.',
    caller: 'operator',
    params: merchantParams,
    reply: MerchantApiKeyList,
  }),
  revoke: operation({
    operationId: 'revokeMerchantApiKey',
    http: del('/merchants/:customerId/api-keys/:keyId'),
    role: 'admin',
    tag: 'Keys and audit',
    summary: 'Revoke an API key within one second',
    description: 'Use it when a key may have leaked.',
    caller: 'operator',
    params: z.object({ customerId: idOf('merchant'), keyId: idOf('apiKey') }),
    reply: z.object({ revoked: z.literal(true), key_id: idOf('apiKey') }),
    refusals: ['resource_not_found'],
  }),
})
