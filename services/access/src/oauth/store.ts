import { queryMany, queryNone, queryOne } from '@causeway/chassis'
import { CapabilityName, Scope } from '@causeway/contracts'
import { z } from 'zod'
import { ClientKey } from '../client-keys/store.ts'

const Secret = z.object({
  mac: z.string(),
  createdAtMs: z.number(),
  /** Null until another secret replaces it. */
  expiresAtMs: z.number().nullable(),
})

/** A client with what it may do now: its own scopes and status, restricted to its partner's. */
const EffectiveClient = z.object({
  clientId: z.string(),
  partnerId: z.string(),
  /** True if both the client and its partner are active. */
  active: z.boolean(),
  scopes: z.array(Scope),
  defaultCapabilities: z.array(CapabilityName),
  /** Live secrets, newest first. */
  secrets: z.array(Secret),
  keys: z.array(ClientKey),
  allowedAddresses: z.array(z.string()).nullable(),
  dailyRefundLimitCents: z.number().nullable(),
})
export type EffectiveClient = z.infer<typeof EffectiveClient>

/** The client, what it may do now, and the keyed hashes of its live secrets. */
export const getEffectiveClient = queryOne({
  name: 'clients.read-standing',
  parameters: { clientId: 'text', now: 'timestamptz' },
  text: `
    SELECT clients.client_id, clients.partner_id, clients.keys,
      clients.allowed_addresses, clients.daily_refund_limit_cents, partners.default_capabilities,
      clients.status = 'active' AND partners.status = 'active' AS active,
      ARRAY(SELECT unnest(clients.scopes) INTERSECT SELECT unnest(partners.scopes)) AS scopes,
      (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
          'mac', secret_mac,
          'createdAtMs', floor(extract(epoch FROM created_at) * 1000),
          'expiresAtMs', floor(extract(epoch FROM expires_at) * 1000)
        ) ORDER BY created_at DESC), '[]')
        FROM client_secrets
        WHERE client_secrets.client_id = clients.client_id AND (expires_at IS NULL OR expires_at > :now)
      ) AS secrets
    FROM clients JOIN partners USING (partner_id)
    WHERE clients.client_id = :clientId`,
  row: EffectiveClient,
})

/** Records that an assertion was used; null when it had been used before, on any replica. */
export const insertUsedAssertion = queryOne({
  name: 'client-assertions.use',
  parameters: { clientId: 'text', jtiHash: 'bytea', expiresAt: 'timestamptz' },
  text: `
    INSERT INTO client_assertions (client_id, jti_hash, expires_at) VALUES (:clientId, :jtiHash, :expiresAt)
    ON CONFLICT DO NOTHING RETURNING client_id`,
  row: z.object({ clientId: z.string() }),
})

/** Deletes used assertions that have expired. */
export const purgeUsedAssertions = queryNone({
  name: 'client-assertions.forget',
  parameters: { before: 'timestamptz' },
  text: 'DELETE FROM client_assertions WHERE expires_at < :before',
})

/**
 * Revokes a token, and sets the revision of its client, so that every replica verifies the client's tokens again.
 * Does nothing when the token was revoked before.
 */
export const revokeToken = queryNone({
  name: 'revoked-tokens.insert',
  parameters: { jti: 'text', clientId: 'text', expiresAt: 'timestamptz', revision: 'bigint' },
  text: `
    WITH revoked AS (
      INSERT INTO revoked_tokens (jti, client_id, expires_at) VALUES (:jti, :clientId, :expiresAt)
      ON CONFLICT DO NOTHING RETURNING client_id
    )
    UPDATE clients SET revision = :revision FROM revoked WHERE clients.client_id = revoked.client_id`,
})

/** The token's id if it was revoked; null when it was not. */
export const findRevokedToken = queryOne({
  name: 'revoked-tokens.find',
  parameters: { jti: 'text' },
  text: 'SELECT jti FROM revoked_tokens WHERE jti = :jti',
  row: z.object({ jti: z.string() }),
})

/** Ids of a client's revoked tokens that have not expired. */
export const listRevokedTokens = queryMany({
  name: 'revoked-tokens.list',
  parameters: { clientId: 'text', limit: 'integer' },
  text: 'SELECT jti FROM revoked_tokens WHERE client_id = :clientId LIMIT :limit',
  row: z.object({ jti: z.string() }),
})

/** Deletes revoked tokens that have expired. */
export const purgeRevokedTokens = queryNone({
  name: 'revoked-tokens.forget',
  parameters: { before: 'timestamptz' },
  text: 'DELETE FROM revoked_tokens WHERE expires_at < :before',
})
