import { implement, refuse, reply } from '@causeway/chassis'
import { ownApiKeys } from '@causeway/contracts'
import { merchantKeyStore } from '../api-keys/store.ts'
import { registryStore } from '../change-feed/store.ts'
import type { MerchantKeyGround } from '../api-keys/operations.ts'

/** `gateway.own-api-keys`: what a merchant does with its keys itself, the one it calls with included. */
export const ownApiKeyOperations = ({ db, registry }: Pick<MerchantKeyGround, 'db' | 'registry'>) =>
  implement(ownApiKeys, {
    async list({ caller: { merchantId } }) {
      const rows = await merchantKeyStore.list(db, merchantId)
      return reply({
        apiKeys: rows.map((row) => ({
          keyId: row.key_id,
          hint: row.hint,
          createdAt: row.created_at.toISOString(),
        })),
      })
    },

    async revoke({ caller: { merchantId }, params: { keyId }, now }) {
      const outcome = await db.transaction(async (tx) => {
        const revision = await registryStore.bump(tx)
        const row = await merchantKeyStore.revoke(tx, merchantId, keyId, now, revision)
        return row === null ? refuse('resource_not_found') : reply({ ok: true as const })
      })
      await registry.changed()
      return outcome
    },
  })
