import { implement, newId, refuse, reply } from '@causeway/chassis'
import { API_KEYS_PER_MERCHANT, apiKeys, type ApiKey } from '@causeway/contracts'
import { appendEnd } from '../audit/store.ts'
import type { AccessContext } from '../context.ts'
import { endByOrigin } from '../sessions/ending.ts'
import { hintOfApiKey, macOfApiKey, newApiKey } from './key.ts'
import { insertApiKey, listApiKeys, revokeApiKey, type ApiKeyRecord } from './store.ts'

const present = (row: ApiKeyRecord): ApiKey => ({
  key_id: row.keyId,
  hint: row.hint,
  created_at: row.createdAt.toISOString(),
})

const LIMIT_REACHED = { resource: 'api_keys', limit: API_KEYS_PER_MERCHANT }

/** `gateway.api-keys` (decisions §14). Where the merchant has to exist, the dispatcher has checked it. */
export const apiKeyOperations = ({ db, vault, changeFeed, recordEnd }: AccessContext) =>
  implement(apiKeys, {
    async create({ params: { customerId: merchantId }, requestId, caller, now }) {
      const key = newApiKey()
      const keyId = newId('apiKey')
      return db.transaction(async (tx) => {
        const row = {
          keyMac: macOfApiKey(vault, key),
          merchantId,
          keyId,
          hint: hintOfApiKey(key),
          createdAt: now,
          limit: API_KEYS_PER_MERCHANT,
        }
        if (!(await insertApiKey(tx, row))) return refuse('limit_reached', [LIMIT_REACHED])
        const after = { customer_id: merchantId, key_id: keyId }
        return recordEnd(tx, { requestId, caller }, { before: null, after }, reply({ api_key: key }))
      })
    },

    async list({ params: { customerId: merchantId } }) {
      return reply({ api_keys: (await listApiKeys(db, { merchantId })).map(present) })
    },

    revoke: ({ params: { customerId: merchantId, keyId }, caller: { actor }, requestId, now }) =>
      changeFeed.transaction(async (tx, revision) => {
        const row = await revokeApiKey(tx, { merchantId, keyId, now, revision })
        if (row === null) return refuse('resource_not_found')
        await endByOrigin(tx, row.keyId, { now, actor, reason: 'credential_revoked' })
        await appendEnd(tx, { requestId, before: present(row), after: null })
        return reply({ revoked: true as const, key_id: row.keyId })
      }),
  })
