import {
  call,
  implement,
  newId,
  refuse,
  reply,
  type Bus,
  type Clock,
  type Db,
  type Vault,
} from '@causeway/chassis'
import { apiKeys, merchants, type ApiKey } from '@causeway/contracts'
import { hintOfMerchantKey, macOfMerchantKey, newMerchantKey } from '../auth/merchant-keys.ts'
import type { Registry } from '../auth/registry.ts'
import { auditStore } from '../store/audit.ts'
import { merchantKeyStore, type MerchantKeyRow } from '../store/merchant-keys.ts'
import { registryStore } from '../store/registry.ts'

export type MerchantKeyGround = Readonly<{ db: Db; bus: Bus; clock: Clock; vault: Vault; registry: Registry }>

const present = (row: MerchantKeyRow): ApiKey => ({
  key_id: row.key_id,
  hint: row.hint,
  created_at: row.created_at.toISOString(),
})

/** `gateway.apiKeys` (decisions §14). Merchants are onboarding's: it is asked whether one exists. */
export const merchantKeyOperations = (ground: MerchantKeyGround, timeoutMs: number) => {
  const { db, bus, clock, vault, registry } = ground
  return implement(apiKeys, {
    async create({ caller, params, requestId, now }) {
      const found = await call(bus, clock, merchants.read, {
        caller,
        requestId,
        timeoutMs,
        safe: true,
        params,
      })
      if (!found.ok)
        return refuse(found.code === 'resource_not_found' ? 'resource_not_found' : 'temporarily_unavailable')
      const key = newMerchantKey()
      const keyId = newId('apiKey')
      await db.transaction(async (tx) => {
        const [keyMac, hint] = [macOfMerchantKey(vault, key), hintOfMerchantKey(key)]
        await merchantKeyStore.insert(tx, { keyMac, merchantId: params.customerId, keyId, hint, now })
        const after = { customer_id: params.customerId, key_id: keyId }
        await auditStore.finish(tx, requestId, { target: null, before: null, after })
      })
      return reply({ api_key: key })
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
}
