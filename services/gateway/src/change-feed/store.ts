import { statement, type Queryable } from '@causeway/chassis'
import { z } from 'zod'

const revisionRow = z.object({ revision: z.coerce.number() })

const read = statement({
  name: 'registry.read',
  text: 'SELECT revision FROM registry',
  row: revisionRow,
})
const bump = statement({
  name: 'registry.bump',
  text: 'UPDATE registry SET revision = revision + 1 RETURNING revision',
  row: revisionRow,
})
const clientsChanged = statement({
  name: 'registry.clients-changed',
  text: `
    SELECT client_id FROM clients WHERE revision > $1
    UNION
    SELECT clients.client_id FROM partners JOIN clients USING (partner_id) WHERE partners.revision > $1`,
  row: z.object({ client_id: z.string() }),
})

const keysRevoked = statement({
  name: 'registry.keys-revoked',
  text: `
    SELECT key_mac FROM merchant_api_keys WHERE revision > $1
    UNION ALL
    SELECT key_mac FROM staff_keys WHERE revision > $1`,
  row: z.object({ key_mac: z.string() }),
})

const revisionOf = (rows: readonly { revision: number }[]): number => {
  const [row] = rows
  if (row === undefined) throw new Error('The registry has no row')
  return row.revision
}

/** The count of changes of partners, clients, signing keys, merchants' and staff keys. */
export const registryStore = {
  read: async (db: Queryable) => revisionOf(await db.query(read)),
  /** Takes the next revision and the lock that orders all changes; the first statement of such a transaction. */
  bump: async (tx: Queryable) => revisionOf(await tx.query(bump)),
  /** Clients that changed, or whose partner did, after a revision. */
  clientsChanged: async (db: Queryable, afterRevision: number) =>
    (await db.query(clientsChanged, [afterRevision])).map((row) => row.client_id),
  /** Keyed hashes of merchants' and staff keys that were revoked after a revision. */
  keysRevoked: async (db: Queryable, afterRevision: number) =>
    (await db.query(keysRevoked, [afterRevision])).map((row) => row.key_mac),
}
