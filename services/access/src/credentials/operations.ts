import { equalInConstantTime, implement, reply } from '@causeway/chassis'
import { accessCredentials, type TokenClient } from '@causeway/contracts'
import { macOfApiKey } from '../api-keys/key.ts'
import { findApiKey } from '../api-keys/store.ts'
import { getRevision, listChangedClients, listRevokedKeys } from '../change-feed/store.ts'
import { secretIdOf } from '../clients/secrets.ts'
import type { AccessContext } from '../context.ts'
import { getEffectiveClient, listRevokedTokens } from '../oauth/store.ts'
import { macOfStaffKey } from '../staff-keys/key.ts'
import { findStaffKey, recordStaffKeyUse, type StaffKeyRecord } from '../staff-keys/store.ts'

/** Most revoked tokens of a client: the list fits into one message of the bus. With more, all its tokens are invalid. */
const MAX_REVOKED = 10_000

/** Finds the client of tokens; null when the client or its partner is disabled. */
async function findTokenClient(
  { db, clock }: Pick<AccessContext, 'db' | 'clock'>,
  clientId: string,
): Promise<TokenClient | null> {
  const [client, revoked] = await Promise.all([
    getEffectiveClient(db, { clientId, now: clock.now() }),
    listRevokedTokens(db, { clientId, limit: MAX_REVOKED + 1 }),
  ])
  if (client?.active !== true || revoked.length > MAX_REVOKED) return null
  return {
    client_id: client.clientId,
    partner_id: client.partnerId,
    scopes: client.scopes,
    default_capabilities: client.defaultCapabilities,
    allowed_addresses: client.allowedAddresses,
    daily_refund_limit_cents: client.dailyRefundLimitCents,
    secrets: client.secrets.map(({ mac, createdAtMs, expiresAtMs }) => ({
      secret_id: secretIdOf(mac),
      created_at_ms: createdAtMs,
      expires_at_ms: expiresAtMs,
    })),
    key_ids: client.keys.map((key) => key.credential_id),
    revoked_token_ids: revoked.map(({ jti }) => jti),
  }
}

/** At most one write per key and minute: `last_used_at` may be late by this and by the time that the edge caches a key. */
const RECORD_EVERY_MS = 60_000

async function recordUse(
  { db, log }: AccessContext,
  { staffKeyId, lastUsedAt }: StaffKeyRecord,
  now: Date,
): Promise<void> {
  const unlessSince = new Date(now.getTime() - RECORD_EVERY_MS)
  if (lastUsedAt !== null && lastUsedAt > unlessSince) return
  await recordStaffKeyUse(db, { staffKeyId, now, unlessSince }).catch((error: unknown) =>
    log.warn(
      { event: 'staff_key.use_not_recorded', error, staffKeyId },
      'The use of a staff key was not recorded',
    ),
  )
}

/** Finds a staff key by its keyed hash, and records the use of a valid one; null when it was never issued. */
async function findUsedStaffKey(context: AccessContext, key: string): ReturnType<typeof findStaffKey> {
  const { db, vault, clock } = context
  const keyMac = macOfStaffKey(vault, key)
  const found = await findStaffKey(db, { keyMac })
  if (found === null || !equalInConstantTime(found.keyMac, keyMac)) return null
  if (!found.revoked) await recordUse(context, found, clock.now())
  return found
}

/** `access.credentials`: what the gateway checks credentials against. */
export const credentialOperations = (context: AccessContext) => {
  const { db, vault } = context
  return implement(accessCredentials, {
    findTokenClient: async ({ body }) => reply({ client: await findTokenClient(context, body.client_id) }),

    async findMerchantKey({ body: { key } }) {
      const keyMac = macOfApiKey(vault, key)
      const found = await findApiKey(db, { keyMac })
      if (found === null || !equalInConstantTime(found.keyMac, keyMac)) return reply({ key: null })
      if (found.revoked) return reply({ key: null, revoked: true })
      return reply({ key: { key_mac: keyMac, key_id: found.keyId, merchant_id: found.merchantId } })
    },

    async findStaffKey({ body }) {
      const found = await findUsedStaffKey(context, body.key)
      if (found === null) return reply({ key: null })
      if (found.revoked) return reply({ key: null, revoked: true })
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
