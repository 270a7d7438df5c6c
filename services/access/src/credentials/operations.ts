import { equalInConstantTime, implement, reply } from '@causeway/chassis'
import { accessCredentials } from '@causeway/contracts'
import { macOfApiKey } from '../api-keys/key.ts'
import { findApiKey } from '../api-keys/store.ts'
import { getRevision, listChangedClients, listRevokedKeys } from '../change-feed/store.ts'
import type { AccessContext } from '../context.ts'
import { findTokenClient } from '../oauth/token-client.ts'
import { findUsedStaffKey } from '../staff-keys/look-up.ts'

/** `access.credentials`: what the gateway checks credentials against. */
export const credentialOperations = (context: AccessContext) => {
  const { db, vault } = context
  return implement(accessCredentials, {
    findTokenClient: async ({ body }) => reply({ client: await findTokenClient(context, body.client_id) }),

    async findMerchantKey({ body: { key } }) {
      const keyMac = macOfApiKey(vault, key)
      const found = await findApiKey(db, { keyMac })
      if (found === null || !equalInConstantTime(found.keyMac, keyMac)) return reply({ key: null })
      return reply({ key: { key_mac: keyMac, key_id: found.keyId, merchant_id: found.merchantId } })
    },

    async findStaffKey({ body }) {
      const found = await findUsedStaffKey(context, body.key)
      if (found === null) return reply({ key: null })
      return reply({ key: { key_mac: found.keyMac, staff_key_id: found.staffKeyId, role: found.role } })
    },

    async listChanges({ body: { after_revision: afterRevision } }) {
      // Read first: a change that is committed meanwhile is listed again after this revision.
      const revision = await getRevision(db)
      if (afterRevision === null || afterRevision === revision)
        return reply({ revision, client_ids: [], key_macs: [] })
      const [clients, keys] = await Promise.all([
        listChangedClients(db, { afterRevision }),
        listRevokedKeys(db, { afterRevision }),
      ])
      return reply({
        revision,
        client_ids: clients.map(({ clientId }) => clientId),
        key_macs: keys.map(({ keyMac }) => keyMac),
      })
    },
  })
}
