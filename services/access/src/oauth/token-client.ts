import type { Clock, Db } from '@causeway/chassis'
import type { TokenClient } from '@causeway/contracts'
import { secretIdOf } from '../clients/secrets.ts'
import { getEffectiveClient, listRevokedTokens } from './store.ts'

/** Most revoked tokens of a client: the list fits into one message of the bus. With more, all its tokens are invalid. */
const MAX_REVOKED = 10_000

/** Finds the client of tokens; null when the client or its partner is disabled. */
export async function findTokenClient(
  { db, clock }: Readonly<{ db: Db; clock: Clock }>,
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
