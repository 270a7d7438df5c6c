import { implement, newId, refuse, reply, type Db, type Vault } from '@causeway/chassis'
import { API_KEYS_PER_MERCHANT, apiKeys, type ApiKey } from '@causeway/contracts'
import { hintOfMerchantKey, macOfMerchantKey, newMerchantKey } from './authentication.ts'
import type { Registry } from '../change-feed/change-feed.ts'
import { auditStore } from '../audit/store.ts'
import { merchantKeyStore, type MerchantKeyRow } from './store.ts'
import { registryStore } from '../change-feed/store.ts'

export type MerchantKeyGround = Readonly<{ db: Db; vault: Vault; registry: Registry }>

const present = (row: MerchantKeyRow): ApiKey => ({
  key_id: row.key_id,
  hint: row.hint,
  created_at: row.created_at.toISOString(),
})

const LIMIT_REACHED = { resource: 'api_keys', limit: API_KEYS_PER_MERCHANT }

/** `gateway.api-keys` (decisions §14). The routes have the merchant looked up first. */
export const merchantKeyOperations = ({ db, vault, registry }: MerchantKeyGround) =>
  implement(apiKeys, {
    async create({ params: { customerId: merchantId }, requestId, now }) {
      const key = newMerchantKey()
      const keyId = newId('apiKey')
      return db.transaction(async (tx) => {
        const [keyMac, hint] = [macOfMerchantKey(vault, key), hintOfMerchantKey(key)]
        const row = { keyMac, merchantId, keyId, hint, now }
        if (!(await merchantKeyStore.insertBelow(tx, row, API_KEYS_PER_MERCHANT)))
          return refuse('limit_reached', [LIMIT_REACHED])
        const after = { customer_id: merchantId, key_id: keyId }
        await auditStore.finish(tx, requestId, { target: null, before: null, after })
        return reply({ api_key: key })
      })
    },

    async list({ params }) {
      return reply({ api_keys: (await merchantKeyStore.list(db, params.customerId)).map(present) })
    },

    async revoke({ params: { customerId, keyId }, requestId, now }) {
      const outcome = await db.transaction(async (tx) => {
        const revision = await registryStore.bump(tx)
        const row = await merchantKeyStore.revoke(tx, customerId, keyId, now, revision)
        if (row === null) return refuse('resource_not_found')
        await auditStore.finish(tx, requestId, { target: null, before: present(row), after: null })
        return reply({ revoked: true as const, key_id: row.key_id })
      })
      await registry.changed()
      return outcome
    },
  })
