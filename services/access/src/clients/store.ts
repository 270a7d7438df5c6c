import { queryMany, queryNone, queryOne, type Transaction } from '@causeway/chassis'
import { Client, Scope } from '@causeway/contracts'
import { z } from 'zod'

/** An OAuth client as it is stored, without its secrets. */
export const ClientRecord = z.object({
  clientId: z.string(),
  partnerId: z.string(),
  status: Client.shape.status,
  scopes: z.array(Scope),
  createdAt: z.date(),
  /** Addresses and CIDR blocks; null: any address. */
  allowedAddresses: z.array(z.string()).nullable(),
  /** In minor units; null: the setting of the refunds service. */
  dailyRefundLimitCents: z.number().nullable(),
})
export type ClientRecord = z.infer<typeof ClientRecord>

const COLUMNS =
  'client_id, partner_id, status, scopes, created_at, allowed_addresses, daily_refund_limit_cents'

/** The scopes of a partner, of which its clients hold all or some; null when there is no such partner. */
export const getPartnerScopes = queryOne({
  name: 'clients.partner-scopes',
  parameters: { partnerId: 'text' },
  text: 'SELECT scopes FROM partners WHERE partner_id = :partnerId',
  row: z.object({ scopes: z.array(Scope) }),
})

/** Adds a client without separate limits, under a revision of the change feed. */
export const insertClient = queryNone({
  name: 'clients.insert',
  parameters: {
    clientId: 'text',
    partnerId: 'text',
    status: 'text',
    scopes: 'text[]',
    createdAt: 'timestamptz',
    revision: 'bigint',
  },
  text: `
    INSERT INTO clients (client_id, partner_id, status, scopes, created_at, revision)
    VALUES (:clientId, :partnerId, :status, :scopes, :createdAt, :revision)`,
})

export const getClient = queryOne({
  name: 'clients.read',
  parameters: { clientId: 'text' },
  text: `SELECT ${COLUMNS} FROM clients WHERE client_id = :clientId`,
  row: ClientRecord,
})

/** Oldest first, disabled ones included. */
export const listClientsOfPartner = queryMany({
  name: 'clients.list-of-partner',
  parameters: { partnerId: 'text' },
  text: `SELECT ${COLUMNS} FROM clients WHERE partner_id = :partnerId ORDER BY created_at, client_id`,
  row: ClientRecord,
})

/** Sets the fields that staff may change, under a revision of the change feed. */
export const updateClient = queryNone({
  name: 'clients.update',
  parameters: {
    clientId: 'text',
    status: 'text',
    scopes: 'text[]',
    allowedAddresses: 'text[]?',
    dailyRefundLimitCents: 'bigint?',
    revision: 'bigint',
  },
  text: `
    UPDATE clients SET status = :status, scopes = :scopes, allowed_addresses = :allowedAddresses,
      daily_refund_limit_cents = :dailyRefundLimitCents, revision = :revision
    WHERE client_id = :clientId`,
})

/** Adds a secret, by its keyed hash. */
export const insertSecret = queryNone({
  name: 'client-secrets.insert',
  parameters: { clientId: 'text', secretMac: 'text', createdAt: 'timestamptz' },
  text: `
    INSERT INTO client_secrets (client_id, secret_mac, created_at)
    VALUES (:clientId, :secretMac, :createdAt)`,
})

const expireSecret = queryNone({
  name: 'client-secrets.expire',
  parameters: { clientId: 'text', expiresAt: 'timestamptz' },
  text: `
    UPDATE client_secrets SET expires_at = :expiresAt WHERE client_id = :clientId AND expires_at IS NULL`,
})

const deleteReplacedSecrets = queryNone({
  name: 'client-secrets.delete-old',
  parameters: { clientId: 'text' },
  text: 'DELETE FROM client_secrets WHERE client_id = :clientId AND expires_at IS NOT NULL',
})

/** Lets the newest secret expire at a time, and deletes the one before it, so that at most two are live. */
export const expireNewestSecret = async (
  tx: Transaction,
  secret: Readonly<{ clientId: string; expiresAt: Date }>,
): Promise<void> => {
  await deleteReplacedSecrets(tx, { clientId: secret.clientId })
  await expireSecret(tx, secret)
}
