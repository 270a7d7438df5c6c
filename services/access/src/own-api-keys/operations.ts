import { implement, refuse, reply } from '@causeway/chassis'
import { ownApiKeys } from '@causeway/contracts'
import { listApiKeys, revokeApiKey } from '../api-keys/store.ts'
import type { AccessContext } from '../context.ts'
import { endByOrigin } from '../sessions/ending.ts'

/** `gateway.own-api-keys`: merchants list and revoke their keys, the one that they call with included. */
export const ownApiKeyOperations = ({ db, changeFeed }: AccessContext) =>
  implement(ownApiKeys, {
    async list({ caller: { merchantId } }) {
      const rows = await listApiKeys(db, { merchantId })
      return reply({
        apiKeys: rows.map(({ keyId, hint, createdAt }) => ({
          keyId,
          hint,
          createdAt: createdAt.toISOString(),
        })),
      })
    },

    revoke: ({ caller: { merchantId }, params: { keyId }, now }) =>
      changeFeed.transaction(async (tx, revision) => {
        const row = await revokeApiKey(tx, { merchantId, keyId, now, revision })
        if (row === null) return refuse('resource_not_found')
        await endByOrigin(tx, row.keyId, { now, actor: merchantId, reason: 'credential_revoked' })
        return reply({ ok: true as const })
      }),
  })
