import { CapabilityName, ClientJwk, Scope, type Client } from '@causeway/contracts'
import { statement, type Queryable } from '@causeway/chassis'
import { z } from 'zod'

const Status = z.enum(['active', 'disabled'])

/** An OAuth client as it is stored, without its secrets. */
export const ClientRow = z.object({
  client_id: z.string(),
  partner_id: z.string(),
  status: Status,
  scopes: z.array(Scope),
  created_at: z.date(),
  /** CIDR blocks; null: any address. */
  allowed_addresses: z.array(z.string()).nullable(),
  /** In minor units; null: the setting of the refunds service. */
  daily_refund_limit_cents: z.number().nullable(),
})
export type ClientRow = z.infer<typeof ClientRow>

/** How every client begins. */
export const NEW_CLIENT = {
  status: 'active',
  allowed_addresses: null,
  daily_refund_limit_cents: null,
} as const

const StandingSecret = z.object({
  mac: z.string(),
  created_at_ms: z.number(),
  /** Null while no other secret has replaced it. */
  expires_at_ms: z.number().nullable(),
})

/** A public key of a client, and the id by which tokens name it. */
const ClientKey = z.object({
  credential_id: z.string(),
  jwk: z.intersection(z.object({ kid: z.string() }), ClientJwk),
})
export type ClientKey = z.infer<typeof ClientKey>

/** A client with what its partner allows it. */
const StandingRow = z.object({
  client_id: z.string(),
  partner_id: z.string(),
  active: z.boolean(),
  scopes: z.array(Scope),
  default_capabilities: z.array(CapabilityName),
  /** The live ones, newest first. */
  secrets: z.array(StandingSecret),
  keys: z.array(ClientKey),
  allowed_addresses: z.array(z.string()).nullable(),
  daily_refund_limit_cents: z.number().nullable(),
})
export type ClientStanding = z.infer<typeof StandingRow>

const COLUMNS =
  'client_id, partner_id, status, scopes, created_at, allowed_addresses, daily_refund_limit_cents'

const insert = statement({
  name: 'clients.insert',
  text: `
    INSERT INTO clients (client_id, partner_id, status, scopes, created_at, revision)
    VALUES ($1, $2, $3, $4, $5, $6)`,
})
const read = statement({
  name: 'clients.read',
  text: `SELECT ${COLUMNS} FROM clients WHERE client_id = $1`,
  row: ClientRow,
})
const listOfPartner = statement({
  name: 'clients.list-of-partner',
  text: `SELECT ${COLUMNS} FROM clients WHERE partner_id = $1 ORDER BY created_at, client_id`,
  row: ClientRow,
})
const update = statement({
  name: 'clients.update',
  text: `
    UPDATE clients SET status = $2, scopes = $3, allowed_addresses = $4, daily_refund_limit_cents = $5,
      revision = $6
    WHERE client_id = $1`,
})
const readStanding = statement({
  name: 'clients.read-standing',
  text: `
    SELECT clients.client_id, clients.partner_id, clients.keys,
      clients.allowed_addresses, clients.daily_refund_limit_cents, partners.default_capabilities,
      clients.status = 'active' AND partners.status = 'active' AS active,
      ARRAY(SELECT unnest(clients.scopes) INTERSECT SELECT unnest(partners.scopes)) AS scopes,
      (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
          'mac', secret_mac,
          'created_at_ms', floor(extract(epoch FROM created_at) * 1000),
          'expires_at_ms', floor(extract(epoch FROM expires_at) * 1000)
        ) ORDER BY created_at DESC), '[]')
        FROM client_secrets
        WHERE client_secrets.client_id = clients.client_id AND (expires_at IS NULL OR expires_at > $2)
      ) AS secrets
    FROM clients JOIN partners USING (partner_id)
    WHERE clients.client_id = $1`,
  row: StandingRow,
})
const insertSecret = statement({
  name: 'client-secrets.insert',
  text: 'INSERT INTO client_secrets (client_id, secret_mac, created_at) VALUES ($1, $2, $3)',
})
const expireSecret = statement({
  name: 'client-secrets.expire',
  text: 'UPDATE client_secrets SET expires_at = $2 WHERE client_id = $1 AND expires_at IS NULL',
})
const deleteOldSecrets = statement({
  name: 'client-secrets.delete-old',
  text: 'DELETE FROM client_secrets WHERE client_id = $1 AND expires_at IS NOT NULL',
})

const readKeys = statement({
  name: 'clients.read-keys',
  text: 'SELECT keys FROM clients WHERE client_id = $1',
  row: z.object({ keys: z.array(ClientKey) }),
})
const replaceKeys = statement({
  name: 'clients.replace-keys',
  text: 'UPDATE clients SET keys = $2, revision = $3 WHERE client_id = $1',
})
const useAssertion = statement({
  name: 'client-assertions.use',
  text: `
    INSERT INTO client_assertions (client_id, jti_hash, expires_at) VALUES ($1, $2, $3)
    ON CONFLICT DO NOTHING RETURNING client_id`,
  row: z.object({ client_id: z.string() }),
})
const forgetAssertions = statement({
  name: 'client-assertions.forget',
  text: 'DELETE FROM client_assertions WHERE expires_at < $1',
})

/** How the API shows a client (decisions §14). */
export const presentClient = (row: ClientRow): Client => ({
  client_id: row.client_id,
  status: row.status,
  scopes: row.scopes,
  created_at: row.created_at.toISOString(),
  ...(row.allowed_addresses === null ? {} : { allowed_addresses: row.allowed_addresses }),
  ...(row.daily_refund_limit_cents === null
    ? {}
    : { daily_refund_limit_cents: row.daily_refund_limit_cents }),
})

/** OAuth clients. Whoever writes has taken the registry's lock (see change-feed/store.ts). */
export const clientStore = {
  insert: (tx: Queryable, row: ClientRow, revision: number) =>
    tx.query(insert, [row.client_id, row.partner_id, row.status, row.scopes, row.created_at, revision]),
  read: async (db: Queryable, clientId: string): Promise<ClientRow | null> =>
    (await db.query(read, [clientId]))[0] ?? null,
  listOfPartner: (db: Queryable, partnerId: string) => db.query(listOfPartner, [partnerId]),
  update: (tx: Queryable, row: ClientRow, revision: number) =>
    tx.query(update, [
      row.client_id,
      row.status,
      row.scopes,
      row.allowed_addresses,
      row.daily_refund_limit_cents,
      revision,
    ]),
  /** What a client may do now, and the hashes of its live secrets. */
  standing: async (db: Queryable, clientId: string, now: Date): Promise<ClientStanding | null> =>
    (await db.query(readStanding, [clientId, now]))[0] ?? null,
  /** The public keys of a client; null when there is no such client. */
  keys: async (db: Queryable, clientId: string): Promise<readonly ClientKey[] | null> =>
    (await db.query(readKeys, [clientId]))[0]?.keys ?? null,
  replaceKeys: (tx: Queryable, clientId: string, keys: readonly ClientKey[], revision: number) =>
    tx.query(replaceKeys, [clientId, JSON.stringify(keys), revision]),
  /** Notes that an assertion was used; false when it had been already, on whichever replica. */
  useAssertion: async (db: Queryable, clientId: string, jtiHash: Buffer, expiresAt: Date) =>
    (await db.query(useAssertion, [clientId, jtiHash, expiresAt])).length === 1,
  forgetAssertions: (db: Queryable, before: Date) => db.query(forgetAssertions, [before]),
  addSecret: (tx: Queryable, clientId: string, secretMac: string, now: Date) =>
    tx.query(insertSecret, [clientId, secretMac, now]),
  /** Ends the newest secret at a moment and forgets the one before it, so that at most two are ever live. */
  retireSecret: async (tx: Queryable, clientId: string, expiresAt: Date) => {
    await tx.query(deleteOldSecrets, [clientId])
    await tx.query(expireSecret, [clientId, expiresAt])
  },
}
